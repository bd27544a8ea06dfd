/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a doorbell of an AQL queue costs core/ alone on one host core: a barrier
 * packet with a completion signal, from the doorbell to the signal, with one
 * queue on the hardware and with all of them; beside a bare loop that makes the
 * same stores. Prints "name value unit" lines; asserts nothing.
 */
#include <stdlib.h>
#include <time.h>

#include "mec-rig.h"

#define ROUNDS  8
#define PACKETS 200000u
#define SIGNAL  0x44000u
#define RINGDW  (2u << RIG_URING_SIZE)

/* Of this thread: a busy machine does not make the code slower. */
static double seconds(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void map(struct rig *r, unsigned i, unsigned n)
{
    uint32_t *m = mec_mqd_init(r, i, true);

    m[MQD_DW(cp_hqd_aql_control)] = 1;
    m[MQD_DW(cp_hqd_pq_doorbell_control)] = 0;
    kiq_map(r, i, n, 1);
}

static void write_packet(struct rig *r, uint64_t index)
{
    struct vgpu_aql_barrier p = {
        .header = HSA_PACKET_TYPE_BARRIER_AND, .completion_signal = SIGNAL,
    };

    memcpy(mock_vram(&r->m, RIG_URING(0) + 64 * index % (4 * RINGDW), 64), &p,
           sizeof(p));
}

/* Packets a second, each with its doorbell. */
static double doorbells(struct rig *r, uint64_t *index)
{
    double start = seconds();
    unsigned i;

    for (i = 0; i < PACKETS; i++, ++*index) {
        write_packet(r, *index);
        mock_doorbell(&r->m, RIG_DOOR(0), *index);
        vgpu_die_run(r->m.die);
    }
    return PACKETS / (seconds() - start);
}

/* The control: the packet, and what it says. */
static double bare(struct rig *r)
{
    uint64_t *value = rig_vram64(r, SIGNAL + 8);
    double start = seconds();
    unsigned i;

    for (i = 0; i < PACKETS; i++) {
        write_packet(r, i);
        __atomic_fetch_sub(value, 1, __ATOMIC_SEQ_CST);
        __atomic_store_n((uint16_t *)rig_vram(r, RIG_URING(0)), 1,
                         __ATOMIC_RELEASE);
    }
    return PACKETS / (seconds() - start);
}

int main(void)
{
    double one = 0, all = 0, plain = 0, speed;
    uint64_t index = 0;
    static struct rig r;
    unsigned i;

    mec_rig_init(&r);
    map(&r, 0, 0);
    for (i = 0; i < ROUNDS; i++) {
        speed = doorbells(&r, &index);
        one = speed > one ? speed : one;
        speed = bare(&r);
        plain = speed > plain ? speed : plain;
    }
    for (i = 1; i < VGPU_NUM_HQDS; i++) {
        if (i != KIQ_HQD) {
            map(&r, i, i);
        }
    }
    for (i = 0; i < ROUNDS; i++) {
        speed = doorbells(&r, &index);
        all = speed > all ? speed : all;
    }
    if (*rig_vram64(&r, SIGNAL + 8) !=
        0 - (uint64_t)PACKETS * ROUNDS * 3) {
        printf("# barriers were lost\n");
        return 1;
    }
    printf("aql-doorbells-1-queue %.2f M/s\n", one / 1e6);
    printf("aql-doorbells-63-queues %.2f M/s\n", all / 1e6);
    printf("aql-63-queues-to-1 %.2f ratio\n", all / one);
    printf("aql-bare %.2f M/s\n", plain / 1e6);
    rig_stop(&r);
    return 0;
}
