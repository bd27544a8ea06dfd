// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Page tables of an address space: four levels of 512 entries. An entry of a
 * directory is a translation itself where memory is contiguous and aligned
 * enough, 2 MiB in a PDB0. Documentation/memory.rst, "Address spaces".
 */
#include <linux/log2.h>
#include <linux/slab.h>

#include <drm/amdgpu_drm.h>

#include <hw/pte.h>

#include "vgpu.h"
#include "vgpu_userptr.h"

/* log2 of the 4 KiB pages that an entry of a table covers */
static u32 level_shift(u32 level)
{
	return VGPU_VM_BLOCK_SIZE * (VGPU_VM_PTB - level);
}

static u64 entry_bytes(u32 level)
{
	return (u64)VGPU_GPU_PAGE_SIZE << level_shift(level);
}

static u32 entry_index(u32 level, u64 va)
{
	return (va >> (VGPU_GPU_PAGE_SHIFT + level_shift(level))) & (VGPU_PT_ENTRIES - 1);
}

/**
 * vgpu_pt_pa() - a table as an entry or a base register holds it
 * @vm: the address space
 * @pt: the table
 *
 * Return: physical address of the hive, and that it is valid.
 */
u64 vgpu_pt_pa(struct vgpu_vm *vm, struct vgpu_pt *pt)
{
	return (vm->vdev->gmc.vram_base_offset + pt->offset) | VGPU_PTE_VALID;
}

/**
 * vgpu_pt_create() - add a table
 * @vm: the address space, reserved
 * @parent: table that leads to it; NULL: it is the root
 * @idx: entry of @parent
 *
 * It holds garbage, and no entry leads to it, before the next update.
 * May sleep and evict. Return: the table or an ERR_PTR().
 */
struct vgpu_pt *vgpu_pt_create(struct vgpu_vm *vm, struct vgpu_pt *parent, u32 idx)
{
	/* The CPU writes it when no engine can. */
	u64 flags = AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED | AMDGPU_GEM_CREATE_VRAM_CONTIGUOUS |
		    VGPU_GEM_CREATE_NO_CLEAR;
	u32 level = parent ? parent->level + 1 : VGPU_VM_PDB2;
	struct vgpu_device *vdev = vm->vdev;
	struct vgpu_bo *bo;
	struct vgpu_pt *pt;

	/* They are pinned: nobody gets more of VRAM for them than a quarter. */
	if (vm->num_pts >= vdev->mman.vram.visible_size / VGPU_PT_BYTES / 4)
		return ERR_PTR(-ENOMEM);

	pt = kzalloc(struct_size(pt, child, level == VGPU_VM_PTB ? 0 : VGPU_PT_ENTRIES),
		     GFP_KERNEL_ACCOUNT);
	if (!pt)
		return ERR_PTR(-ENOMEM);

	bo = vgpu_bo_create(vdev, VGPU_PT_BYTES, VGPU_PT_BYTES, AMDGPU_GEM_DOMAIN_VRAM, flags,
			    ttm_bo_type_kernel, vm);
	if (IS_ERR(bo)) {
		kfree(pt);
		return ERR_CAST(bo);
	}
	ttm_bo_pin(&bo->tbo);

	pt->bo = bo;
	pt->offset = (u64)bo->tbo.resource->start << PAGE_SHIFT;
	pt->level = level;
	pt->parent = parent;
	pt->idx = idx;
	if (parent)
		parent->child[idx] = pt;
	list_add_tail(&pt->node, &vm->new_pts);
	vm->num_pts++;
	return pt;
}

/* Its memory stays until all fences in the reservation have signalled. */
static void vgpu_pt_free(struct vgpu_vm *vm, struct vgpu_pt *pt)
{
	list_del(&pt->node);
	ttm_bo_unpin(&pt->bo->tbo);
	vgpu_bo_put(pt->bo);
	kfree(pt);
	vm->num_pts--;
}

/**
 * vgpu_pt_free_list() - free tables
 * @vm: the address space, reserved
 * @pts: the tables, without those below them
 */
void vgpu_pt_free_list(struct vgpu_vm *vm, struct list_head *pts)
{
	struct vgpu_pt *pt, *next;

	list_for_each_entry_safe(pt, next, pts, node)
		vgpu_pt_free(vm, pt);
}

/* All below @pt and, but for the root, @pt are on dead_pts. */
static void vgpu_pt_kill(struct vgpu_vm *vm, struct vgpu_pt *pt)
{
	u32 i;

	if (pt->level != VGPU_VM_PTB) {
		for (i = 0; i < VGPU_PT_ENTRIES; i++) {
			if (pt->child[i])
				vgpu_pt_kill(vm, pt->child[i]);
		}
	}
	if (!pt->parent)
		return;
	pt->parent->child[pt->idx] = NULL;
	list_move_tail(&pt->node, &vm->dead_pts);
}

/**
 * vgpu_pt_free_tree() - free all tables
 * @vm: the address space, reserved
 * @pt: its root
 */
void vgpu_pt_free_tree(struct vgpu_vm *vm, struct vgpu_pt *pt)
{
	vgpu_pt_kill(vm, pt);
	vgpu_pt_free_list(vm, &vm->dead_pts);
	vgpu_pt_free(vm, pt);
}

/**
 * vgpu_pt_forget() - start over: nobody knows what the tables say
 * @vm: the address space, reserved
 */
void vgpu_pt_forget(struct vgpu_vm *vm)
{
	vgpu_pt_kill(vm, vm->root);
	list_move(&vm->root->node, &vm->new_pts);
}

/*
 * What a mapping is behind an address
 */

struct pt_walk {
	struct vgpu_device *vdev;	/* whose VRAM it is */
	struct ttm_resource *res;	/* NULL: none that the GPU reaches */
	const dma_addr_t *dma;		/* pages that are left, of GTT */
	struct vgpu_res_cursor cur;	/* of VRAM */
	u64 left;			/* bytes */
	u64 flags;
};

static void pt_walk_init(struct pt_walk *w, struct vgpu_device *vdev, struct vgpu_va *va)
{
	u64 offset = va->base.gem.offset;
	struct ttm_resource *res;
	struct vgpu_bo *bo;
	u64 coherent;

	w->vdev = vdev;
	w->res = NULL;
	w->dma = NULL;
	w->left = va->base.va.range;
	w->flags = va->flags;

	if (!va->base.gem.obj)
		return;
	bo = to_vgpu_bo(va->base.gem.obj);
	res = vgpu_bo_place(bo, &w->vdev);
	if (!res)
		return;

	coherent = (bo->peer ?: bo)->flags & VGPU_GEM_COHERENT;
	switch (res->mem_type) {
	case TTM_PL_VRAM:
		w->res = res;
		vgpu_res_first(w->vdev, res, offset, w->left, &w->cur);
		w->flags |= VGPU_PTE_VALID;
		w->flags &= ~VGPU_PTE_MTYPE_MASK;
		/*
		 * Local memory is cached for both, whatever the mapping asked for; that
		 * of another die is cached by its owner, who is asked.
		 */
		if (w->vdev != vdev)
			w->flags |= VGPU_PTE_MTYPE_SHIFT(coherent ? MTYPE_UC : MTYPE_NC) |
				    VGPU_PTE_SNOOPED;
		else if (coherent & AMDGPU_GEM_CREATE_UNCACHED)
			w->flags |= VGPU_PTE_MTYPE_SHIFT(MTYPE_UC);
		else
			w->flags |= VGPU_PTE_MTYPE_SHIFT(coherent ? MTYPE_CC : MTYPE_RW);
		break;
	case TTM_PL_TT:
		w->res = res;
		w->dma = to_vgpu_tt(bo->tbo.ttm)->dma + (offset >> PAGE_SHIFT);
		w->flags |= VGPU_PTE_VALID | VGPU_PTE_SYSTEM | VGPU_PTE_SNOOPED;
		if (coherent) {
			w->flags &= ~VGPU_PTE_MTYPE_MASK;
			w->flags |= VGPU_PTE_MTYPE_SHIFT(MTYPE_UC);
		}
		if (bo->userptr && bo->userptr->readonly)
			w->flags &= ~VGPU_PTE_WRITEABLE;
		break;
	default:
		break;
	}
}

/* Nothing is there, not even a PRT: its entries are 0. */
static bool pt_walk_empty(const struct pt_walk *w)
{
	return !w->res && !(w->flags & VGPU_PTE_PRT);
}

/* The next contiguous piece of memory. Return: its length, 0 at the end. */
static u64 pt_walk_next(struct pt_walk *w, u64 *pa)
{
	u64 len, end;

	if (!w->left)
		return 0;

	if (!w->res) {
		/* PRT: nothing, contiguous and aligned to anything. */
		*pa = 0;
		len = w->left;
	} else if (w->dma) {
		*pa = *w->dma;
		for (len = 0; len < w->left && *w->dma == *pa + len; len += PAGE_SIZE)
			w->dma++;
	} else {
		*pa = w->vdev->gmc.vram_base_offset + w->cur.start;
		len = 0;
		do {
			len += w->cur.size;
			end = w->cur.start + w->cur.size;
			vgpu_res_next(w->vdev, &w->cur, w->cur.size);
		} while (w->cur.remaining && w->cur.start == end);
	}
	w->left -= len;
	return len;
}

/*
 * Memory is cut into fragments, as large as their place in both address spaces
 * allows: 1 << fragment pages that are one piece and aligned to their size. All
 * entries of one say so, and the TLB keeps it as one translation.
 */
static u32 fragment(u64 va, u64 pa, u64 len)
{
	u32 frag = __fls(len >> VGPU_GPU_PAGE_SHIFT);

	frag = min_t(u32, frag, __ffs64(va | BIT_ULL(63)) - VGPU_GPU_PAGE_SHIFT);
	frag = min_t(u32, frag, __ffs64(pa | BIT_ULL(63)) - VGPU_GPU_PAGE_SHIFT);
	/* The field has five bits; a whole table of PDB1 is far below. */
	return min(frag, 31u);
}

/* The level that has entries for a fragment: the highest that it fills. */
static u32 fragment_level(u32 frag)
{
	u32 level = VGPU_VM_PTB;

	while (level > VGPU_VM_PDB2 && frag >= level_shift(level - 1))
		level--;
	return level;
}

/* The table of @level that covers @va; NULL when there is none. */
static struct vgpu_pt *vgpu_pt_find(struct vgpu_vm *vm, u64 va, u32 level)
{
	struct vgpu_pt *pt = vm->root;

	while (pt && pt->level < level)
		pt = pt->child[entry_index(pt->level, va)];
	return pt;
}

/* The same, and make it and those above it. */
static int vgpu_pt_ensure(struct vgpu_vm *vm, u64 va, u32 level)
{
	struct vgpu_pt *pt = vm->root;

	while (pt->level < level) {
		u32 idx = entry_index(pt->level, va);
		struct vgpu_pt *child = pt->child[idx];

		if (!child) {
			child = vgpu_pt_create(vm, pt, idx);
			if (IS_ERR(child))
				return PTR_ERR(child);
		}
		pt = child;
	}
	return 0;
}

/**
 * vgpu_pt_prepare_va() - make the tables that a mapping needs
 * @vm: the address space, reserved
 * @va: the mapping; its buffer is reserved too
 *
 * May sleep and evict. Return: 0 or a negative error; some tables may have been
 * made then, which does no harm.
 */
int vgpu_pt_prepare_va(struct vgpu_vm *vm, struct vgpu_va *va)
{
	u64 addr = va->base.va.addr;
	u64 table, have = U64_MAX, pa, len;
	struct pt_walk w;
	int ret;

	pt_walk_init(&w, vm->vdev, va);
	if (pt_walk_empty(&w))
		return 0;

	while ((len = pt_walk_next(&w, &pa))) {
		while (len) {
			u32 frag = fragment(addr, pa, len);
			u64 bytes = (u64)VGPU_GPU_PAGE_SIZE << frag;
			u32 level = fragment_level(frag);

			/* Most are in the table of the one before. */
			table = ALIGN_DOWN(addr, entry_bytes(level) * VGPU_PT_ENTRIES) | level;
			if (table != have) {
				ret = vgpu_pt_ensure(vm, addr, level);
				if (ret)
					return ret;
				have = table;
			}
			addr += bytes;
			pa += w.res ? bytes : 0;
			len -= bytes;
		}
		cond_resched();
	}
	return 0;
}

/**
 * vgpu_pt_link_new() - clear the new tables and let entries lead to them
 * @u: the update
 *
 * They stay on new_pts, for the case that the update is not committed.
 * May sleep. Return: 0 or a negative error.
 */
int vgpu_pt_link_new(struct vgpu_vm_update *u)
{
	struct vgpu_pt *pt;
	int ret;

	list_for_each_entry(pt, &u->vm->new_pts, node) {
		ret = vgpu_update_zero(u, pt);
		if (ret)
			return ret;
	}
	/* Neighbours in a directory make a run. */
	list_for_each_entry(pt, &u->vm->new_pts, node) {
		if (!pt->parent)
			continue;
		ret = vgpu_update_entry(u, pt->parent, pt->idx, vgpu_pt_pa(u->vm, pt));
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * vgpu_pt_linked() - the update that linked the new tables is committed
 * @vm: the address space, reserved
 */
void vgpu_pt_linked(struct vgpu_vm *vm)
{
	struct vgpu_pt *pt, *next;

	list_for_each_entry_safe(pt, next, &vm->new_pts, node)
		list_del_init(&pt->node);
}

/* Entries for a fragment. All of them are in one table. */
static int vgpu_pt_write_fragment(struct vgpu_vm_update *u, struct pt_walk *w, u64 va, u64 pa,
				  u32 frag)
{
	u32 level = fragment_level(frag);
	struct vgpu_pt *pt = vgpu_pt_find(u->vm, va, level);
	u32 i, idx = entry_index(level, va);
	u32 num = 1u << (frag - level_shift(level));
	u64 flags = w->flags | VGPU_PTE_FRAG(frag);
	int ret;

	/* vgpu_pt_prepare_va() has made it, for this same memory. */
	if (WARN_ON_ONCE(!pt))
		return -EINVAL;

	if (level != VGPU_VM_PTB)
		flags |= VGPU_PDE_PTE;
	for (i = 0; i < num; i++) {
		ret = vgpu_update_entry(u, pt, idx + i, pa | flags);
		if (ret)
			return ret;
		/* What was mapped in smaller pieces is not looked at any more. */
		if (level != VGPU_VM_PTB && pt->child[idx + i])
			vgpu_pt_kill(u->vm, pt->child[idx + i]);
		if (w->res)
			pa += entry_bytes(level);
	}
	return 0;
}

/**
 * vgpu_pt_write_va() - write the entries of a mapping
 * @u: the update; vgpu_pt_link_new() is done
 * @va: a mapping that is prepared; its buffer is reserved and has not moved since
 *
 * All of a mapping is written, since its fragments lie where its ends and the
 * buffer's memory say. May sleep. Return: 0 or a negative error.
 */
int vgpu_pt_write_va(struct vgpu_vm_update *u, struct vgpu_va *va)
{
	u64 addr = va->base.va.addr, pa, len;
	struct pt_walk w;
	int ret;

	pt_walk_init(&w, u->vm->vdev, va);
	if (pt_walk_empty(&w))
		return vgpu_pt_clear_range(u, addr, addr + va->base.va.range);

	while ((len = pt_walk_next(&w, &pa))) {
		while (len) {
			u32 frag = fragment(addr, pa, len);
			u64 bytes = (u64)VGPU_GPU_PAGE_SIZE << frag;

			ret = vgpu_pt_write_fragment(u, &w, addr, pa, frag);
			if (ret)
				return ret;
			addr += bytes;
			pa += w.res ? bytes : 0;
			len -= bytes;
		}
		cond_resched();
	}
	return 0;
}

/* @base: address that entry 0 of @pt is for */
static int vgpu_pt_clear(struct vgpu_vm_update *u, struct vgpu_pt *pt, u64 base, u64 start,
			 u64 end)
{
	u64 bytes = entry_bytes(pt->level);
	u64 va = ALIGN_DOWN(max(start, base), bytes);
	u64 last = min(end, base + bytes * VGPU_PT_ENTRIES);
	int ret;

	for (; va < last; va += bytes) {
		u32 idx = entry_index(pt->level, va);
		struct vgpu_pt *child = pt->level == VGPU_VM_PTB ? NULL : pt->child[idx];

		if (va < start || va + bytes > end) {
			/* A part of it: then there is a table, or nothing. */
			if (!child)
				continue;
			ret = vgpu_pt_clear(u, child, va, start, end);
		} else {
			ret = vgpu_update_entry(u, pt, idx, 0);
			if (!ret && child)
				vgpu_pt_kill(u->vm, child);
		}
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * vgpu_pt_clear_range() - nothing is mapped here
 * @u: the update
 * @start: first address
 * @end: address behind the last
 *
 * Tables that cover nothing else are freed. May sleep.
 * Return: 0 or a negative error.
 */
int vgpu_pt_clear_range(struct vgpu_vm_update *u, u64 start, u64 end)
{
	return vgpu_pt_clear(u, u->vm->root, 0, start, end);
}
