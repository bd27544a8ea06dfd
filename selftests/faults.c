// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Memory runs out: each call is made with its first allocation failing, then
 * with its second, and so on until it has no more of them. It either does
 * without, or fails with -ENOMEM, changes nothing, and works when made again.
 * Documentation/development.rst, "The debug kernel".
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <drm.h>
#include "emit.h"
#include "harness.h"
#include "lib/die.h"

#define DEBUGFS		"/sys/kernel/debug/"
#define SLABS		"/sys/kernel/slab/"
#define PAGE		4096ull
#define BYTES		65536ull
#define IB_VA		(1ull << 32)
#define BUF_VA		(IB_VA + (1ull << 21))
#define MAP_VA		(1ull << 40)
#define ACCESS		(AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE)
#define DONE		0xd09eu

/* By ioctls alone: a library would want memory too. */
FIXTURE(faults)
{
	struct die die;			/* looks on */
	uint64_t vram, gtt;		/* in use before the test */
	int nth;			/* which allocation of this thread fails */
	int fd;				/* the file the calls are made on */
	uint32_t ctx, ib, buf;		/* of @fd; both buffers are mapped */
	uint32_t *ib_cpu, *buf_cpu;
	uint64_t seq;			/* last submission */

	/* What a call made; 0 or -1: nothing */
	uint32_t handle, list, syncobj;
	int file;
	void *memory;
	unsigned int round;
};

/* struct fault_op - what is made to fail */
struct fault_op {
	const char *name;
	/* Without a fault, before each run; may be NULL */
	int (*prepare)(struct _test_data_faults *self);
	/* 0 or a negative errno; undoes its parts when it fails */
	int (*run)(struct _test_data_faults *self);
	/* Whether it has failed and changed nothing; may be NULL */
	bool (*unchanged)(struct _test_data_faults *self);
	/* After each run, successful or not; may be NULL */
	void (*cleanup)(struct _test_data_faults *self);
	int also[3];		/* as good as -ENOMEM: what the kernel around us makes of it */
	unsigned int first;	/* allocation to begin with; 0: the first */
	unsigned int stride;	/* not every allocation of very many; 0: each */
};

static int call(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) < 0 ? -errno : 0;
}

/*
 * Objects of these caches are never refused. The kernel's buddy allocator frees a
 * block twice when it cannot split it for lack of memory: the block is back in the
 * free list when the one who wanted it split gives it back. Its interrupts, when they
 * go, complain of files in procfs that they could not make. The others belong to
 * those who watch.
 */
static bool spared(const char *cache)
{
	static const char * const part[] = {
		"buddy_block", "proc_dir_entry", "kmemleak", "debug_objects",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(part); i++)
		if (strstr(cache, part[i]))
			return true;
	return false;
}

/* Return: whether this kernel can be made to run out of memory. */
static bool set_up_injection(void)
{
	struct dirent *entry;
	char path[512];
	DIR *dir;

	if (write_file(DEBUGFS "failslab/ignore-gfp-wait", "N") ||
	    write_file(DEBUGFS "failslab/cache-filter", "Y") ||
	    write_file(DEBUGFS "failslab/verbose", "0") ||
	    write_file(DEBUGFS "fail_page_alloc/ignore-gfp-wait", "N") ||
	    write_file(DEBUGFS "fail_page_alloc/ignore-gfp-highmem", "N") ||
	    write_file(DEBUGFS "fail_page_alloc/min-order", "0") ||
	    write_file(DEBUGFS "fail_page_alloc/verbose", "0"))
		return false;
	dir = opendir(SLABS);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), SLABS "%s/failslab", entry->d_name);
		write_file(path, spared(entry->d_name) ? "0" : "1");
	}
	if (dir)
		closedir(dir);
	return dir;
}

static void arm(struct _test_data_faults *self, unsigned int nth)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", nth);

	if (pwrite(self->nth, text, len, 0) != len)
		abort();
}

/* Return: whether the allocation that was to fail has been reached. */
static bool disarm(struct _test_data_faults *self)
{
	char text[16] = "";

	if (pread(self->nth, text, sizeof(text) - 1, 0) < 1)
		abort();
	arm(self, 0);
	return !atoi(text);
}

static bool good(const struct fault_op *op, int ret)
{
	return !ret || ret == -ENOMEM || ret == op->also[0] || ret == op->also[1] ||
	       ret == op->also[2];
}

static void fail_each(struct __test_metadata *_metadata, struct _test_data_faults *self,
		      const struct fault_op *op)
{
	unsigned int nth, faults = 0, failures = 0;
	bool hit = true;
	int ret = 0;

	for (nth = op->first ? op->first : 1; hit; nth += op->stride ? op->stride : 1) {
		self->round++;
		if (op->prepare)
			ASSERT_EQ(0, op->prepare(self));
		arm(self, nth);
		ret = op->run(self);
		hit = disarm(self);
		faults += hit;
		EXPECT_TRUE(hit ? good(op, ret) : !ret) {
			TH_LOG("%s: allocation %u: %s", op->name, nth, strerror(-ret));
		}
		if (ret) {
			failures++;
			EXPECT_TRUE(!op->unchanged || op->unchanged(self)) {
				TH_LOG("%s: allocation %u left a trace", op->name, nth);
			}
			ret = op->run(self);
			EXPECT_EQ(0, ret) {
				TH_LOG("%s: allocation %u: not again: %s", op->name, nth,
				       strerror(-ret));
			}
		}
		if (op->cleanup)
			op->cleanup(self);
	}
	TH_LOG("%s: %u allocations failed, so did %u calls", op->name, faults, failures);
	EXPECT_LT(0, faults);
}

/* ------------------------------------------------------------------ buffers */

static int create(int fd, uint64_t bytes, uint64_t domain, uint64_t flags, uint32_t *handle)
{
	union drm_amdgpu_gem_create args = { .in = {
		.bo_size = bytes, .alignment = PAGE, .domains = domain, .domain_flags = flags,
	} };
	int ret = call(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &args);

	*handle = ret ? 0 : args.out.handle;
	return ret;
}

static void destroy(int fd, uint32_t *handle)
{
	struct drm_gem_close args = { .handle = *handle };

	if (*handle)
		call(fd, DRM_IOCTL_GEM_CLOSE, &args);
	*handle = 0;
}

static int va_op(int fd, uint32_t op, uint32_t handle, uint64_t offset, uint64_t va,
		 uint64_t bytes)
{
	struct drm_amdgpu_gem_va args = {
		.handle = handle, .operation = op, .flags = ACCESS, .va_address = va,
		.offset_in_bo = offset, .map_size = bytes,
	};

	return call(fd, DRM_IOCTL_AMDGPU_GEM_VA, &args);
}

static uint64_t mmap_offset(int fd, uint32_t handle)
{
	union drm_amdgpu_gem_mmap args = { .in.handle = handle };

	return call(fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &args) ? 0 : args.out.addr_ptr;
}

static uint32_t *map_buffer(int fd, uint32_t handle, uint64_t bytes)
{
	void *cpu = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			 mmap_offset(fd, handle));

	if (cpu == MAP_FAILED)
		return NULL;
	memset(cpu, 0, bytes);
	return cpu;
}

/* -------------------------------------------------------------- the fixture */

static int alloc_ctx(int fd, uint32_t *ctx)
{
	union drm_amdgpu_ctx args = { .in.op = AMDGPU_CTX_OP_ALLOC_CTX };
	int ret = call(fd, DRM_IOCTL_AMDGPU_CTX, &args);

	*ctx = ret ? 0 : args.out.alloc.ctx_id;
	return ret;
}

static int free_ctx(int fd, uint32_t ctx)
{
	union drm_amdgpu_ctx args = { .in = { .op = AMDGPU_CTX_OP_FREE_CTX, .ctx_id = ctx } };

	return ctx ? call(fd, DRM_IOCTL_AMDGPU_CTX, &args) : 0;
}

static uint64_t usage(struct die *die, unsigned int query)
{
	uint64_t bytes = ~0ull;

	amdgpu_query_info(die->dev, query, sizeof(bytes), &bytes);
	return bytes;
}

FIXTURE_SETUP(faults)
{
	self->file = -1;
	self->nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (self->nth < 0 || !set_up_injection())
		SKIP(return, "no fault injection in this kernel, or not for this user");
	ASSERT_EQ(0, die_open(0, &self->die));
	self->vram = usage(&self->die, AMDGPU_INFO_VRAM_USAGE);
	self->gtt = usage(&self->die, AMDGPU_INFO_GTT_USAGE);

	self->fd = open(self->die.path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, alloc_ctx(self->fd, &self->ctx));
	ASSERT_EQ(0, create(self->fd, BYTES, AMDGPU_GEM_DOMAIN_GTT, 0, &self->ib));
	ASSERT_EQ(0, create(self->fd, PAGE, AMDGPU_GEM_DOMAIN_GTT, 0, &self->buf));
	ASSERT_EQ(0, va_op(self->fd, AMDGPU_VA_OP_MAP, self->ib, 0, IB_VA, BYTES));
	ASSERT_EQ(0, va_op(self->fd, AMDGPU_VA_OP_MAP, self->buf, 0, BUF_VA, PAGE));
	self->ib_cpu = map_buffer(self->fd, self->ib, BYTES);
	self->buf_cpu = map_buffer(self->fd, self->buf, PAGE);
	ASSERT_NE(NULL, self->ib_cpu);
	ASSERT_NE(NULL, self->buf_cpu);
	/* Faults are for the driver, not for the stack of this program. */
	ASSERT_EQ(0, mlockall(MCL_CURRENT));
}

/* What was given back comes back when the last job is over. */
static bool comes_back(struct __test_metadata *_metadata, struct _test_data_faults *self,
		       unsigned int query, uint64_t to)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		if (usage(&self->die, query) == to)
			return true;
		poll(NULL, 0, 10);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - start.tv_sec < 20);
	TH_LOG("%llu KiB in use, %llu KiB before the test",
	       (unsigned long long)usage(&self->die, query) >> 10, (unsigned long long)to >> 10);
	return false;
}

FIXTURE_TEARDOWN(faults)
{
	if (!self->ctx)
		return;
	munmap(self->ib_cpu, BYTES);
	munmap(self->buf_cpu, PAGE);
	close(self->fd);
	EXPECT_TRUE(comes_back(_metadata, self, AMDGPU_INFO_VRAM_USAGE, self->vram));
	EXPECT_TRUE(comes_back(_metadata, self, AMDGPU_INFO_GTT_USAGE, self->gtt));
	die_close(&self->die);
}

/* ----------------------------------------------------------- files, handles */

static int run_open(struct _test_data_faults *self)
{
	self->file = open(self->die.path, O_RDWR | O_CLOEXEC);
	return self->file < 0 ? -errno : 0;
}

static void close_file(struct _test_data_faults *self)
{
	if (self->file >= 0)
		close(self->file);
	self->file = -1;
}

TEST_F(faults, open_and_close)
{
	static const struct fault_op op = {
		.name = "open", .run = run_open, .cleanup = close_file,
	};

	fail_each(_metadata, self, &op);
}

static int run_ctx(struct _test_data_faults *self)
{
	return alloc_ctx(self->fd, &self->handle);
}

static void cleanup_ctx(struct _test_data_faults *self)
{
	free_ctx(self->fd, self->handle);
	self->handle = 0;
}

TEST_F(faults, context)
{
	static const struct fault_op op = {
		.name = "CTX", .run = run_ctx, .cleanup = cleanup_ctx,
	};

	fail_each(_metadata, self, &op);
}

static int run_create_vram(struct _test_data_faults *self)
{
	return create(self->fd, BYTES, AMDGPU_GEM_DOMAIN_VRAM, 0, &self->handle);
}

static int run_create_hidden(struct _test_data_faults *self)
{
	return create(self->fd, 3 * BYTES, AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_CREATE_NO_CPU_ACCESS,
		      &self->handle);
}

static int run_create_gtt(struct _test_data_faults *self)
{
	return create(self->fd, BYTES, AMDGPU_GEM_DOMAIN_GTT, 0, &self->handle);
}

static int run_create_own(struct _test_data_faults *self)
{
	return create(self->fd, BYTES, AMDGPU_GEM_DOMAIN_GTT | AMDGPU_GEM_DOMAIN_VRAM,
		      AMDGPU_GEM_CREATE_VM_ALWAYS_VALID, &self->handle);
}

static void destroy_handle(struct _test_data_faults *self)
{
	destroy(self->fd, &self->handle);
}

TEST_F(faults, buffers)
{
	static const struct fault_op ops[] = {
		{ .name = "GEM_CREATE, VRAM", .run = run_create_vram, .cleanup = destroy_handle },
		{ .name = "GEM_CREATE, no CPU", .run = run_create_hidden,
		  .cleanup = destroy_handle },
		{ .name = "GEM_CREATE, GTT", .run = run_create_gtt, .cleanup = destroy_handle },
		{ .name = "GEM_CREATE, always valid", .run = run_create_own,
		  .cleanup = destroy_handle },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++)
		fail_each(_metadata, self, &ops[i]);
}

static int run_metadata(struct _test_data_faults *self)
{
	struct drm_amdgpu_gem_metadata args = {
		.handle = self->buf, .op = AMDGPU_GEM_METADATA_OP_SET_METADATA,
		.data.data_size_bytes = 64,
	};

	return call(self->fd, DRM_IOCTL_AMDGPU_GEM_METADATA, &args);
}

TEST_F(faults, metadata)
{
	static const struct fault_op op = { .name = "GEM_METADATA", .run = run_metadata };

	fail_each(_metadata, self, &op);
}

static int bo_list(struct _test_data_faults *self, uint32_t operation)
{
	struct drm_amdgpu_bo_list_entry entries[2] = {
		{ .bo_handle = self->ib }, { .bo_handle = self->buf },
	};
	union drm_amdgpu_bo_list args = { .in = {
		.operation = operation, .list_handle = self->list, .bo_number = 2,
		.bo_info_size = sizeof(entries[0]), .bo_info_ptr = (uintptr_t)entries,
	} };
	int ret = call(self->fd, DRM_IOCTL_AMDGPU_BO_LIST, &args);

	if (!ret)
		self->list = args.out.list_handle;
	return ret;
}

static int run_list_create(struct _test_data_faults *self)
{
	return bo_list(self, AMDGPU_BO_LIST_OP_CREATE);
}

static int run_list_update(struct _test_data_faults *self)
{
	return bo_list(self, AMDGPU_BO_LIST_OP_UPDATE);
}

static void destroy_list(struct _test_data_faults *self)
{
	bo_list(self, AMDGPU_BO_LIST_OP_DESTROY);
	self->list = 0;
}

TEST_F(faults, lists)
{
	static const struct fault_op ops[] = {
		{ .name = "BO_LIST create", .run = run_list_create, .cleanup = destroy_list },
		{ .name = "BO_LIST update", .prepare = run_list_create, .run = run_list_update,
		  .cleanup = destroy_list },
	};

	fail_each(_metadata, self, &ops[0]);
	fail_each(_metadata, self, &ops[1]);
}

/* ---------------------------------------------------------------- mappings */

/* Each round where no table is yet: in another entry of the PDB1. */
static uint64_t new_va(struct _test_data_faults *self)
{
	return MAP_VA + ((uint64_t)self->round << 30);
}

static int run_map(struct _test_data_faults *self)
{
	return va_op(self->fd, AMDGPU_VA_OP_MAP, self->ib, 0, new_va(self), BYTES);
}

static int run_unmap(struct _test_data_faults *self)
{
	return va_op(self->fd, AMDGPU_VA_OP_UNMAP, self->ib, 0, new_va(self), BYTES);
}

static void cleanup_map(struct _test_data_faults *self)
{
	run_unmap(self);
}

/* From the middle of a mapping: two pieces are left of it. */
static int run_replace(struct _test_data_faults *self)
{
	return va_op(self->fd, AMDGPU_VA_OP_REPLACE, self->buf, 0, new_va(self) + 4 * PAGE, PAGE);
}

static int run_clear(struct _test_data_faults *self)
{
	return va_op(self->fd, AMDGPU_VA_OP_CLEAR, 0, 0, new_va(self) + 4 * PAGE, PAGE);
}

/* The whole mapping is there, and nothing over it. */
static bool still_mapped(struct _test_data_faults *self)
{
	return !run_unmap(self) && !run_map(self);
}

static bool not_mapped(struct _test_data_faults *self)
{
	return run_unmap(self) == -ENOENT;
}

static void clear_all(struct _test_data_faults *self)
{
	va_op(self->fd, AMDGPU_VA_OP_CLEAR, 0, 0, new_va(self), BYTES);
}

TEST_F(faults, addresses)
{
	static const struct fault_op ops[] = {
		{ .name = "GEM_VA map", .run = run_map, .unchanged = not_mapped,
		  .cleanup = cleanup_map },
		{ .name = "GEM_VA unmap", .prepare = run_map, .run = run_unmap,
		  .unchanged = still_mapped },
		{ .name = "GEM_VA replace", .prepare = run_map, .run = run_replace,
		  .unchanged = still_mapped, .cleanup = clear_all },
		{ .name = "GEM_VA clear", .prepare = run_map, .run = run_clear,
		  .unchanged = still_mapped, .cleanup = clear_all },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++)
		fail_each(_metadata, self, &ops[i]);
}

/* -------------------------------------------------------------- submissions */

/* Everything a submission may bring: it writes DONE to word 0 of the buffer. */
static int submit(struct _test_data_faults *self, uint32_t ctx, uint32_t ip)
{
	struct drm_amdgpu_bo_list_entry entries[] = {
		{ .bo_handle = self->ib }, { .bo_handle = self->buf },
	};
	struct drm_amdgpu_bo_list_in bos = {
		.operation = ~0u, .list_handle = ~0u, .bo_number = ARRAY_SIZE(entries),
		.bo_info_size = sizeof(entries[0]), .bo_info_ptr = (uintptr_t)entries,
	};
	struct drm_amdgpu_cs_chunk_fence user_fence = {
		.handle = self->buf, .offset = PAGE - 8,
	};
	struct drm_amdgpu_cs_chunk_ib ib = { .va_start = IB_VA, .ip_type = ip };
	struct drm_amdgpu_cs_chunk_dep dep = {
		.ctx_id = ctx, .ip_type = ip, .handle = self->seq,
	};
	struct drm_amdgpu_cs_chunk_syncobj out = { .handle = self->syncobj, .point = self->round };
	struct drm_amdgpu_cs_chunk chunks[] = {
		{ AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib },
		{ AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(bos) / 4, (uintptr_t)&bos },
		{ AMDGPU_CHUNK_ID_FENCE, sizeof(user_fence) / 4, (uintptr_t)&user_fence },
		{ AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL, sizeof(out) / 4, (uintptr_t)&out },
		{ AMDGPU_CHUNK_ID_DEPENDENCIES, sizeof(dep) / 4, (uintptr_t)&dep },
	};
	uint64_t addrs[ARRAY_SIZE(chunks)];
	struct ibw w = { .dw = self->ib_cpu };
	union drm_amdgpu_cs args = { .in = {
		.ctx_id = ctx, .num_chunks = ARRAY_SIZE(chunks), .chunks = (uintptr_t)addrs,
	} };
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(chunks); i++)
		addrs[i] = (uintptr_t)&chunks[i];
	/* The first one of a context has none to follow. */
	args.in.num_chunks -= !self->seq;
	if (ip == AMDGPU_HW_IP_DMA)
		sdma_write(&w, BUF_VA, DONE);
	else
		pm4_write(&w, BUF_VA, DONE);
	while (w.n % 8)
		emit(&w, ip == AMDGPU_HW_IP_DMA ? SDMA_OP_NOP :
		     PACKET3(PACKET3_NOP, PACKET3_NOP_ONE_DWORD_COUNT));
	ib.ib_bytes = w.n * 4;
	self->buf_cpu[0] = 0;

	ret = call(self->fd, DRM_IOCTL_AMDGPU_CS, &args);
	if (!ret)
		self->seq = args.out.handle;
	return ret;
}

static int wait_cs(struct _test_data_faults *self, uint32_t ctx, uint32_t ip)
{
	union drm_amdgpu_wait_cs args = { .in = {
		.handle = self->seq, .timeout = ~0ull >> 1, .ctx_id = ctx, .ip_type = ip,
	} };
	int ret = call(self->fd, DRM_IOCTL_AMDGPU_WAIT_CS, &args);

	if (!ret && __atomic_load_n(self->buf_cpu, __ATOMIC_ACQUIRE) != DONE)
		ret = -EIO;
	return ret;
}

static int make_syncobj(struct _test_data_faults *self)
{
	struct drm_syncobj_create args = { };
	int ret = call(self->fd, DRM_IOCTL_SYNCOBJ_CREATE, &args);

	self->syncobj = ret ? 0 : args.handle;
	return ret;
}

static void destroy_syncobj(struct _test_data_faults *self)
{
	struct drm_syncobj_destroy args = { .handle = self->syncobj };

	if (self->syncobj)
		call(self->fd, DRM_IOCTL_SYNCOBJ_DESTROY, &args);
	self->syncobj = 0;
}

static int prepare_cs(struct _test_data_faults *self)
{
	self->seq = 0;
	return make_syncobj(self);
}

/* In a context of its own, whose queue is made by it; then once more, in line. */
static int run_cs(struct _test_data_faults *self, uint32_t ip)
{
	uint32_t ctx;
	int ret = alloc_ctx(self->fd, &ctx);

	self->seq = 0;
	if (!ret)
		ret = submit(self, ctx, ip);
	if (!ret)
		ret = wait_cs(self, ctx, ip);
	if (!ret)
		ret = submit(self, ctx, ip);
	if (!ret)
		ret = wait_cs(self, ctx, ip);
	free_ctx(self->fd, ctx);
	return ret;
}

static int run_cs_gfx(struct _test_data_faults *self)
{
	return run_cs(self, AMDGPU_HW_IP_GFX);
}

static int run_cs_compute(struct _test_data_faults *self)
{
	return run_cs(self, AMDGPU_HW_IP_COMPUTE);
}

static int run_cs_dma(struct _test_data_faults *self)
{
	return run_cs(self, AMDGPU_HW_IP_DMA);
}

TEST_F_TIMEOUT(faults, submissions, 600)
{
	static const struct fault_op ops[] = {
		{ .name = "CS, GFX", .prepare = prepare_cs, .run = run_cs_gfx,
		  .cleanup = destroy_syncobj },
		{ .name = "CS, compute", .prepare = prepare_cs, .run = run_cs_compute,
		  .cleanup = destroy_syncobj },
		{ .name = "CS, SDMA", .prepare = prepare_cs, .run = run_cs_dma,
		  .cleanup = destroy_syncobj },
	};

	fail_each(_metadata, self, &ops[0]);
	fail_each(_metadata, self, &ops[1]);
}

/* A submission that fails takes no number, and nothing of it runs. */
static int run_cs_once(struct _test_data_faults *self)
{
	uint64_t before = self->seq;
	int ret = submit(self, self->ctx, AMDGPU_HW_IP_GFX);

	if (!ret && before && self->seq != before + 1)
		return -EBADE;
	return ret ? ret : wait_cs(self, self->ctx, AMDGPU_HW_IP_GFX);
}

static bool did_not_run(struct _test_data_faults *self)
{
	return !__atomic_load_n(self->buf_cpu, __ATOMIC_ACQUIRE);
}

/* The next submission finds it elsewhere, and brings it back. */
static int move_buffer(struct _test_data_faults *self)
{
	struct drm_amdgpu_gem_op args = {
		.handle = self->handle, .op = AMDGPU_GEM_OP_SET_PLACEMENT,
		.value = self->round % 2 ? AMDGPU_GEM_DOMAIN_VRAM : AMDGPU_GEM_DOMAIN_GTT,
	};

	return call(self->fd, DRM_IOCTL_AMDGPU_GEM_OP, &args);
}

TEST_F_TIMEOUT(faults, submissions_and_moves, 600)
{
	static const struct fault_op ops[] = {
		{ .name = "CS", .run = run_cs_once, .unchanged = did_not_run },
		{ .name = "CS, a buffer moves", .prepare = move_buffer, .run = run_cs_once,
		  .unchanged = did_not_run },
	};

	ASSERT_EQ(0, make_syncobj(self));
	ASSERT_EQ(0, create(self->fd, 4 * BYTES, AMDGPU_GEM_DOMAIN_GTT, 0, &self->handle));
	ASSERT_EQ(0, va_op(self->fd, AMDGPU_VA_OP_MAP, self->handle, 0, MAP_VA, 4 * BYTES));
	fail_each(_metadata, self, &ops[0]);
	fail_each(_metadata, self, &ops[1]);
	destroy_handle(self);
	destroy_syncobj(self);
}

/* Memory of the process, which nobody has touched yet, in front of the GPU. */
static int prepare_userptr(struct _test_data_faults *self)
{
	self->buf_cpu[0] = 0;
	self->memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);
	return self->memory == MAP_FAILED ? -errno : 0;
}

static int run_userptr(struct _test_data_faults *self)
{
	struct drm_amdgpu_gem_userptr args = {
		.addr = (uintptr_t)self->memory, .size = BYTES,
		.flags = AMDGPU_GEM_USERPTR_REGISTER | AMDGPU_GEM_USERPTR_ANONONLY,
	};
	int ret = call(self->fd, DRM_IOCTL_AMDGPU_GEM_USERPTR, &args);

	if (ret)
		return ret;
	self->handle = args.handle;
	ret = va_op(self->fd, AMDGPU_VA_OP_MAP, self->handle, 0, MAP_VA, BYTES);
	if (!ret)
		ret = run_cs_once(self);
	if (ret)
		destroy_handle(self);
	return ret;
}

static void cleanup_userptr(struct _test_data_faults *self)
{
	destroy_handle(self);
	munmap(self->memory, BYTES);
}

TEST_F_TIMEOUT(faults, memory_of_the_process, 600)
{
	static const struct fault_op op = {
		.name = "GEM_USERPTR and CS", .prepare = prepare_userptr, .run = run_userptr,
		/* Pages that cannot be had are as if nothing was mapped. */
		.unchanged = did_not_run, .cleanup = cleanup_userptr, .also = { -EFAULT },
	};

	ASSERT_EQ(0, make_syncobj(self));
	fail_each(_metadata, self, &op);
	destroy_syncobj(self);
}

/* ------------------------------------------------------------------ waiting */

static int run_wait_fences(struct _test_data_faults *self)
{
	struct drm_amdgpu_fence fences[2] = {
		{ .ctx_id = self->ctx, .ip_type = AMDGPU_HW_IP_GFX, .seq_no = self->seq },
		{ .ctx_id = self->ctx, .ip_type = AMDGPU_HW_IP_DMA, .seq_no = 0 },
	};
	union drm_amdgpu_wait_fences args = { .in = {
		.fences = (uintptr_t)fences, .fence_count = 2, .wait_all = self->round % 2,
		.timeout_ns = ~0ull >> 1,
	} };

	return call(self->fd, DRM_IOCTL_AMDGPU_WAIT_FENCES, &args);
}

static int fence_to_handle(struct _test_data_faults *self, uint32_t what, uint32_t *handle)
{
	union drm_amdgpu_fence_to_handle args = { .in = {
		.fence = {
			.ctx_id = self->ctx, .ip_type = AMDGPU_HW_IP_GFX, .seq_no = self->seq,
		},
		.what = what,
	} };
	int ret = call(self->fd, DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, &args);

	if (!ret)
		*handle = args.out.handle;
	return ret;
}

static int run_to_syncobj(struct _test_data_faults *self)
{
	return fence_to_handle(self, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ, &self->syncobj);
}

static int run_to_syncobj_fd(struct _test_data_faults *self)
{
	return fence_to_handle(self, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD,
			       (uint32_t *)&self->file);
}

static int run_to_sync_file(struct _test_data_faults *self)
{
	return fence_to_handle(self, AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD,
			       (uint32_t *)&self->file);
}

TEST_F(faults, waits_and_fences)
{
	static const struct fault_op ops[] = {
		{ .name = "WAIT_FENCES", .run = run_wait_fences },
		{ .name = "FENCE_TO_HANDLE, syncobj", .run = run_to_syncobj,
		  .cleanup = destroy_syncobj },
		{ .name = "FENCE_TO_HANDLE, syncobj's file", .run = run_to_syncobj_fd,
		  .cleanup = close_file },
		{ .name = "FENCE_TO_HANDLE, sync file", .run = run_to_sync_file,
		  .cleanup = close_file },
	};
	unsigned int i;

	ASSERT_EQ(0, make_syncobj(self));
	self->round = 1;
	ASSERT_EQ(0, run_cs_once(self));
	destroy_syncobj(self);
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		fail_each(_metadata, self, &ops[i]);
}

/* ------------------------------------------------------------------ sharing */

static int run_export(struct _test_data_faults *self)
{
	struct drm_prime_handle args = { .handle = self->handle, .flags = DRM_CLOEXEC | DRM_RDWR };
	int ret = call(self->fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args);

	if (!ret)
		self->file = args.fd;
	return ret;
}

static void cleanup_export(struct _test_data_faults *self)
{
	close_file(self);
	destroy_handle(self);
}

/* The file, of the same die or of the other, that takes what is shared. */
static int other_fd;

static int run_import(struct _test_data_faults *self)
{
	struct drm_prime_handle args = { .fd = self->file };
	uint32_t handle;
	int ret = call(other_fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &args);

	if (ret)
		return ret;
	handle = args.handle;
	ret = va_op(other_fd, AMDGPU_VA_OP_MAP, handle, 0, MAP_VA, BYTES);
	destroy(other_fd, &handle);
	return ret;
}

static int prepare_import(struct _test_data_faults *self)
{
	int ret = run_create_gtt(self);

	return ret ? ret : run_export(self);
}

TEST_F(faults, sharing)
{
	static const struct fault_op ops[] = {
		{ .name = "export", .prepare = run_create_gtt, .run = run_export,
		  .cleanup = cleanup_export },
		{ .name = "import", .prepare = prepare_import, .run = run_import,
		  .cleanup = cleanup_export },
	};
	struct die other;

	fail_each(_metadata, self, &ops[0]);
	other_fd = open(self->die.path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, other_fd);
	fail_each(_metadata, self, &ops[1]);
	close(other_fd);
	if (die_open(1, &other))
		return;
	other_fd = other.fd;
	fail_each(_metadata, self, &ops[1]);
	die_close(&other);
}

/* --------------------------------------------------------------- CPU access */

/* A system call touches the memory: what would be a signal is -EFAULT then. */
static int run_touch(struct _test_data_faults *self)
{
	uint64_t offset = mmap_offset(self->fd, self->handle);
	void *cpu = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd, offset);
	int ret = 0;

	if (cpu == MAP_FAILED)
		return -errno;
	if (pread(self->file, cpu, 1, 0) != 1)
		ret = -errno;
	munmap(cpu, BYTES);
	return ret;
}

static int prepare_touch(struct _test_data_faults *self)
{
	int ret = self->round % 2 ? run_create_vram(self) : run_create_gtt(self);

	self->file = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	return ret ? ret : self->file < 0 ? -errno : 0;
}

TEST_F(faults, cpu_access)
{
	static const struct fault_op op = {
		.name = "mmap and a fault", .prepare = prepare_touch, .run = run_touch,
		.cleanup = cleanup_export, .also = { -EFAULT },
	};

	fail_each(_metadata, self, &op);
}

/* ------------------------------------------------------------ the die itself */

/* The last die: the tests hold the first one open. */
static char last_pci[16];

static int run_bind(struct _test_data_faults *self)
{
	return write_file("/sys/bus/pci/drivers/vgpu/bind", last_pci);
}

static int prepare_bind(struct _test_data_faults *self)
{
	return write_file("/sys/bus/pci/drivers/vgpu/unbind", last_pci);
}

static bool works(struct die *die)
{
	struct buf buf;
	struct sub sub = { .ip = AMDGPU_HW_IP_GFX, .ib = &buf };
	bool ok;

	if (buf_alloc(die, PAGE, AMDGPU_GEM_DOMAIN_GTT, &buf))
		return false;
	{
		struct ibw w = { .dw = buf.cpu };

		pm4_write(&w, buf.va + 2048, DONE);
		sub.ndw = w.n;
	}
	ok = !sub_run(die, &sub) && buf_get(&buf, 512) == DONE;
	buf_free(&buf);
	return ok;
}

TEST_F_TIMEOUT(faults, bind, 1800)
{
	static const struct fault_op op = {
		.name = "bind", .prepare = prepare_bind, .run = run_bind,
		/*
		 * The first few are of the DRM device, before the driver has its turn:
		 * drm_minor_alloc_release() puts the ERR_PTR() of a node that there was
		 * no memory for.
		 */
		.first = 64, .stride = 19,
		/* BARs that cannot be requested, interrupts that find no domain, or no vector */
		.also = { -EBUSY, -ENODEV, -ENOSPC },
	};
	struct die die;

	if (die_open(1, &die))
		SKIP(return, "one die");
	snprintf(last_pci, sizeof(last_pci), "%s", die.pci);
	EXPECT_TRUE(works(&die));
	die_close(&die);
	fail_each(_metadata, self, &op);
	ASSERT_EQ(0, die_open(1, &die));
	EXPECT_TRUE(works(&die));
	die_close(&die);
}

TEST_HARNESS_MAIN
