// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * vgpu-top: what every die and every link is doing, again and again.
 * Documentation/tools.rst, "vgpu-top".
 *
 * All of it is read from debugfs, sysfs and fdinfo; no die is kept open, so one
 * that is unplugged is missing in the next sample, and that is all.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DRI		"/sys/kernel/debug/dri"
#define MAX_DIES	16
#define MAX_RINGS	16
#define MAX_LINKS	240
#define MAX_CLIENTS	256

static const char *const engines[] = { "gfx", "compute", "dma" };

#define NUM_ENGINES	3

struct ring {
	char name[16];
	uint32_t done;			/* jobs since load */
	unsigned int pending;
};

struct die {
	char pci[16];
	uint64_t hive;			/* 0: none */
	unsigned int node;
	uint64_t vram_used, vram_size;
	unsigned int resets;
	unsigned int num_rings;
	struct ring rings[MAX_RINGS];
	double busy[NUM_ENGINES];	/* rings that are, on the average since before */
};

struct link {
	uint64_t hive;
	unsigned int ends[2], width;
	bool up;
	uint64_t bytes[2];		/* away from the first end, and back */
};

/* An open file, and how long engines have worked for it */
struct client {
	char pci[16];
	unsigned int id;
	uint64_t ns[NUM_ENGINES];
};

struct sample {
	double time;			/* seconds */
	unsigned int num_dies, num_links, num_clients;
	struct die dies[MAX_DIES];
	struct link links[MAX_LINKS];
	struct client clients[MAX_CLIENTS];
};

/* ------------------------------------------------------------- reading */

static FILE *open_die(const char *pci, const char *dir, const char *name)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s/%s", dir, pci, name);
	return fopen(path, "r");
}

static uint64_t read_number(const char *pci, const char *dir, const char *name)
{
	FILE *f = open_die(pci, dir, name);
	uint64_t value = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%" SCNu64, &value) != 1)
		value = 0;
	fclose(f);
	return value;
}

/* "gfx           22       21        1, oldest 22", below a line of titles */
static bool read_rings(struct die *die)
{
	FILE *f = open_die(die->pci, DRI, "vgpu_fences");
	char line[128];

	if (!f)
		return false;
	while (fgets(line, sizeof(line), f) && die->num_rings < MAX_RINGS) {
		struct ring *ring = &die->rings[die->num_rings];

		if (sscanf(line, "%15s %*u %u %u", ring->name, &ring->done, &ring->pending) == 3)
			die->num_rings++;
	}
	fclose(f);
	return die->num_rings > 0;
}

/* All members show the same links: those of a hive are read once. */
static void read_links(struct sample *s, const struct die *die)
{
	char line[160], state[8];
	unsigned int i;
	FILE *f;

	for (i = 0; i < s->num_links; i++) {
		if (s->links[i].hive == die->hive)
			return;
	}
	f = open_die(die->pci, DRI, "vgpu_hive");
	while (f && fgets(line, sizeof(line), f) && s->num_links < MAX_LINKS) {
		struct link *link = &s->links[s->num_links];

		if (sscanf(line, "link %u-%u: width %u, %7[a-z], bytes %" SCNu64 ", back %" SCNu64,
			   &link->ends[0], &link->ends[1], &link->width, state,
			   &link->bytes[0], &link->bytes[1]) != 6)
			continue;
		link->hive = die->hive;
		link->up = !strcmp(state, "up");
		s->num_links++;
	}
	if (f)
		fclose(f);
}

static void read_client(struct sample *s, const char *path)
{
	struct client client = { .id = 0 };
	char line[128], name[16];
	unsigned int i;
	uint64_t ns;
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "drm-pdev: %15s", client.pci) == 1 ||
		    sscanf(line, "drm-client-id: %u", &client.id) == 1 ||
		    sscanf(line, "drm-engine-%15[a-z]: %" SCNu64, name, &ns) != 2)
			continue;
		for (i = 0; i < NUM_ENGINES; i++) {
			if (!strcmp(name, engines[i]))
				client.ns[i] = ns;
		}
	}
	if (f)
		fclose(f);
	if (!client.id || s->num_clients == MAX_CLIENTS)
		return;
	/* Files that share a client are one. */
	for (i = 0; i < s->num_clients; i++) {
		if (s->clients[i].id == client.id)
			return;
	}
	s->clients[s->num_clients++] = client;
}

/* The files of a process that are of a DRM device */
static void read_process(struct sample *s, const char *pid)
{
	char path[64 + 2 * NAME_MAX], target[32];
	struct dirent *fd;
	ssize_t len;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	dir = opendir(path);
	while (dir && (fd = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%s/fd/%s", pid, fd->d_name);
		len = readlink(path, target, sizeof(target) - 1);
		target[len > 0 ? len : 0] = '\0';
		if (strncmp(target, "/dev/dri/", 9))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/fdinfo/%s", pid, fd->d_name);
		read_client(s, path);
	}
	if (dir)
		closedir(dir);
}

static void read_processes(struct sample *s)
{
	DIR *dir = opendir("/proc");
	struct dirent *pid;

	while (dir && (pid = readdir(dir))) {
		if (pid->d_name[0] >= '1' && pid->d_name[0] <= '9')
			read_process(s, pid->d_name);
	}
	if (dir)
		closedir(dir);
}

static void read_die(struct sample *s, const char *pci)
{
	static const char *const sysfs = "/sys/bus/pci/devices";
	struct die *die = &s->dies[s->num_dies];

	*die = (struct die){ .num_rings = 0 };
	snprintf(die->pci, sizeof(die->pci), "%.15s", pci);
	if (!read_rings(die))
		return;
	die->hive = read_number(pci, sysfs, "xgmi_hive_info/xgmi_hive_id");
	die->node = read_number(pci, sysfs, "xgmi_physical_id");
	die->vram_used = read_number(pci, sysfs, "mem_info_vram_used");
	die->vram_size = read_number(pci, sysfs, "mem_info_vram_total");
	die->resets = read_number(pci, DRI, "vgpu_hive_reset");
	if (die->hive)
		read_links(s, die);
	s->num_dies++;
}

static int is_die(const struct dirent *entry)
{
	return !!strchr(entry->d_name, ':');
}

/* Return: 0 or a negative errno, when nothing can be seen at all. */
static int take_sample(struct sample *s)
{
	struct dirent **list;
	struct timespec now;
	int i, num = scandir(DRI, &list, is_die, alphasort);

	if (num < 0)
		return -errno;
	memset(s, 0, sizeof(*s));
	clock_gettime(CLOCK_MONOTONIC, &now);
	s->time = now.tv_sec + now.tv_nsec / 1e9;
	for (i = 0; i < num; i++) {
		if (s->num_dies < MAX_DIES)
			read_die(s, list[i]->d_name);
		free(list[i]);
	}
	free(list);
	read_processes(s);
	return 0;
}

/* ----------------------------------------------------------- comparing */

static const struct die *find_die(const struct sample *s, const char *pci)
{
	unsigned int i;

	for (i = 0; i < s->num_dies; i++) {
		if (!strcmp(s->dies[i].pci, pci))
			return &s->dies[i];
	}
	return NULL;
}

/* Jobs that a ring ended since; of a die that has just come, none */
static uint32_t jobs_since(const struct sample *before, const struct die *die,
			   const struct ring *ring)
{
	const struct die *old = find_die(before, die->pci);
	unsigned int i;

	for (i = 0; old && i < old->num_rings; i++) {
		if (!strcmp(old->rings[i].name, ring->name))
			return ring->done - old->rings[i].done;
	}
	return 0;
}

static uint64_t bytes_since(const struct sample *before, const struct link *link, int dir)
{
	unsigned int i;

	for (i = 0; i < before->num_links; i++) {
		const struct link *old = &before->links[i];

		if (old->hive == link->hive && old->ends[0] == link->ends[0] &&
		    old->ends[1] == link->ends[1] && old->bytes[dir] <= link->bytes[dir])
			return link->bytes[dir] - old->bytes[dir];
	}
	return 0;
}

/* What a client that has gone did since the last sample, nobody knows. */
static void find_busy(const struct sample *before, struct sample *s)
{
	double elapsed = s->time - before->time;
	unsigned int i, j, e;

	for (i = 0; i < s->num_clients; i++) {
		const struct client *now = &s->clients[i], *old = NULL;
		struct die *die = (struct die *)find_die(s, now->pci);

		for (j = 0; j < before->num_clients && !old; j++) {
			if (before->clients[j].id == now->id)
				old = &before->clients[j];
		}
		for (e = 0; die && e < NUM_ENGINES; e++)
			die->busy[e] += (now->ns[e] - (old ? old->ns[e] : 0)) / 1e9 / elapsed;
	}
}

/* ------------------------------------------------------------- showing */

/* One fact a line, for programs */
static void show_batch(const struct sample *before, const struct sample *s, unsigned int n)
{
	unsigned int i, j;

	printf("sample %u seconds %.3f dies %u\n", n, before->time ? s->time - before->time : 0,
	       s->num_dies);
	for (i = 0; i < s->num_dies; i++) {
		const struct die *die = &s->dies[i];

		printf("die %s hive %" PRIu64 " node %u vram %" PRIu64 " of %" PRIu64
		       " resets %u", die->pci, die->hive, die->node, die->vram_used,
		       die->vram_size, die->resets);
		for (j = 0; j < NUM_ENGINES; j++)
			printf(" %s %.3f", engines[j], die->busy[j]);
		printf("\n");
		for (j = 0; j < die->num_rings; j++)
			printf("ring %s %s jobs %u pending %u\n", die->pci, die->rings[j].name,
			       jobs_since(before, die, &die->rings[j]), die->rings[j].pending);
	}
	for (i = 0; i < s->num_links; i++) {
		const struct link *link = &s->links[i];

		printf("link %" PRIu64 " %u %u width %u %s bytes %" PRIu64 " back %" PRIu64 "\n",
		       link->hive, link->ends[0], link->ends[1], link->width,
		       link->up ? "up" : "down", bytes_since(before, link, 0),
		       bytes_since(before, link, 1));
	}
	fflush(stdout);
}

static void show_die(const struct sample *before, const struct die *die, double elapsed)
{
	unsigned int i;

	printf("%s  ", die->pci);
	if (die->hive)
		printf("node %-2u", die->node);
	else
		printf("no hive");
	printf("  VRAM %.1f of %.1f MiB  resets %u ", die->vram_used / 1048576.0,
	       die->vram_size / 1048576.0, die->resets);
	for (i = 0; i < NUM_ENGINES; i++)
		printf(" %s %.0f%%", engines[i], 100 * die->busy[i]);
	printf("\n ");
	for (i = 0; i < die->num_rings; i++) {
		if (i && !(i % 4))
			printf("\n ");
		printf(" %s %.0f/s, %u queued ", die->rings[i].name,
		       jobs_since(before, die, &die->rings[i]) / elapsed, die->rings[i].pending);
	}
	printf("\n");
}

static void show_screen(const struct sample *before, const struct sample *s)
{
	double elapsed = before->time ? s->time - before->time : 1;
	unsigned int i;

	if (isatty(STDOUT_FILENO))
		printf("\033[H\033[J");
	printf("vgpu-top: %u dies, %u links, %u open files\n", s->num_dies, s->num_links,
	       s->num_clients);
	for (i = 0; i < s->num_dies; i++)
		show_die(before, &s->dies[i], elapsed);
	for (i = 0; i < s->num_links; i++) {
		const struct link *link = &s->links[i];

		printf("  %2u %s %-2u  width %u  %10.2f MB/s to %u  %10.2f MB/s to %u\n",
		       link->ends[0], link->up ? "=====" : "--x--", link->ends[1], link->width,
		       bytes_since(before, link, 0) / elapsed / 1e6, link->ends[1],
		       bytes_since(before, link, 1) / elapsed / 1e6, link->ends[0]);
	}
	fflush(stdout);
}

static int help(FILE *f)
{
	fputs("usage: vgpu-top [-b] [-n SAMPLES] [-d SECONDS]\n"
	      "  -b  a line for each fact, for programs\n"
	      "  -n  end after so many samples; the first has nothing to compare with\n"
	      "  -d  time between two; 1\n", f);
	return f == stderr ? 2 : 0;
}

/* Return: a signal came instead. They are blocked, and wait until somebody asks. */
static bool wait_for(double seconds, const sigset_t *signals)
{
	struct timespec t = { .tv_sec = seconds };

	t.tv_nsec = (seconds - t.tv_sec) * 1e9;
	return sigtimedwait(signals, NULL, &t) > 0;
}

/* A signal ends it with one more sample: what was going on until then is in there. */
static int run(bool batch, unsigned long samples, double delay, const sigset_t *signals)
{
	static struct sample s[2];
	bool last = false;
	unsigned long n;
	int ret;

	for (n = 0; !samples || n < samples; n++) {
		struct sample *before = &s[n % 2], *now = &s[(n + 1) % 2];

		if (n)
			last = wait_for(delay, signals);
		ret = take_sample(now);
		if (ret || (!n && !now->num_dies)) {
			fprintf(stderr, "vgpu-top: %s\n",
				geteuid() ? "only root may see what dies do" :
				ret ? strerror(-ret) : "no die found; is the driver loaded?");
			return 1;
		}
		if (n)
			find_busy(before, now);
		if (batch)
			show_batch(before, now, n);
		else
			show_screen(before, now);
		if (ferror(stdout))
			return 1;
		if (last)
			break;
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long samples = 0;
	bool batch = false;
	double delay = 1;
	sigset_t signals;
	char *end = "";
	int opt;

	while ((opt = getopt(argc, argv, "bn:d:h")) != -1) {
		switch (opt) {
		case 'b':
			batch = true;
			break;
		case 'n':
			samples = strtoul(optarg, &end, 10);
			if (*end || !samples)
				return help(stderr);
			break;
		case 'd':
			delay = strtod(optarg, &end);
			if (*end || !(delay > 0 && delay < 1e6))
				return help(stderr);
			break;
		case 'h':
			return help(stdout);
		default:
			return help(stderr);
		}
	}
	if (optind < argc)
		return help(stderr);
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	return run(batch, samples, delay, &signals);
}
