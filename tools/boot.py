#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Boot the guest, run a command in it and return its exit code.

The command's output, the kernel log and the exit code come over virtio-serial
ports; the console is only kept as a log. A guest that dies, hangs or leaves a
splat in its kernel log fails. Runs inside the build root: see boot.sh.
"""

import argparse
import ctypes
import fcntl
import itertools
import json
import mmap
import os
import platform
import re
import selectors
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time

DEVICES = 'dies=2'
HIVE_OPTIONS = ('segment', 'links', 'latency', 'bandwidth', 'down')
PORTS = ('out', 'result', 'dmesg', 'host')
KVM_CREATE_VM = 0xae01

# What a kernel says when something is wrong with it. Anchored on the kernel's
# own wording, so that a test may mention these words in its output.
SPLATS = re.compile(
    r'WARNING: |BUG: |kernel BUG at|Oops: |Kernel panic|general protection|'
    r'possible (circular|recursive) locking|inconsistent lock state|'
    r'suspicious RCU usage|INFO: task .* blocked|rcu: INFO: .*stall|'
    r'unreferenced object|KASAN:|UBSAN:|DMA-API: .*(device driver|leak|overlap)|'
    r'refcount_t: |sleeping function called|scheduling while atomic|'
    r'page allocation failure(?!.*fault)|list_(add|del) corruption|'
    r'Memory manager not clean|Trying to vfree|stack-protector')


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--qemu', required=True)
    parser.add_argument('--kernel', required=True)
    parser.add_argument('--initrd', required=True)
    parser.add_argument('--devices', default=os.environ.get('VGPU_DEVICES', DEVICES),
                        help='words, each as after -device (or -object for vgpu-hive), or '
                             '"dies=N": a hive of so many, with what follows for the hive or '
                             'each die, e.g. dies=8,vram=64M,latency=500; "none": no GPU')
    parser.add_argument('--append', default='', help='more kernel command line')
    parser.add_argument('--qemu-args', default='', help='more QEMU arguments')
    parser.add_argument('--timeout', type=float,
                        default=float(os.environ.get('TIMEOUT', '300')))
    parser.add_argument('--log', help='keep console and kernel log here')
    parser.add_argument('--memory', default='1G')
    parser.add_argument('--shell', action='store_true', help='interactive')
    parser.add_argument('--times', action='store_true', help='say when things happened')
    parser.add_argument('--allow-splats', action='store_true')
    parser.add_argument('command', nargs='*', help='shell command line')
    return parser.parse_args()


def kvm_trouble():
    """Why KVM cannot be used, or None. The device may be there and yet not work."""
    with open('/proc/cpuinfo', encoding='ascii', errors='replace') as info:
        if not re.search(r'^flags.*\b(vmx|svm)\b', info.read(), re.M):
            return 'this processor has neither vmx nor svm'
    try:
        device = os.open('/dev/kvm', os.O_RDWR | os.O_CLOEXEC)
        try:
            os.close(fcntl.ioctl(device, KVM_CREATE_VM, 0))
        finally:
            os.close(device)
    except OSError as error:
        return f'/dev/kvm: {error.strerror}'
    return None


def accel():
    """What $ACCEL says, else KVM where it works and TCG where not."""
    want = os.environ.get('ACCEL', '')
    if want not in ('', 'kvm', 'tcg'):
        sys.exit(f'vgpu: error: ACCEL={want}: must be kvm or tcg')
    trouble = None if want == 'tcg' else kvm_trouble()
    if want == 'kvm' and trouble:
        sys.exit(f'vgpu: error: ACCEL=kvm: {trouble}')
    return want or ('tcg' if trouble else 'kvm')


def host_tsc_khz():
    """Rate of the host's time stamp counter, which under TCG is the guest's; 0: unknown."""
    if platform.machine() != 'x86_64':
        return 0
    try:
        # rdtsc; shl rdx, 32; or rax, rdx; ret
        code = mmap.mmap(-1, mmap.PAGESIZE,
                         prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    except OSError:
        return 0
    code.write(bytes.fromhex('0f31 48c1e220 4809d0 c3'))
    rdtsc = ctypes.CFUNCTYPE(ctypes.c_uint64)(
        ctypes.addressof(ctypes.c_char.from_buffer(code)))

    def sample():
        """Both clocks at one time: of many pairs the one that took the shortest."""
        pairs = []
        for _ in range(50):
            before, tsc, after = time.monotonic_ns(), rdtsc(), time.monotonic_ns()
            pairs.append((after - before, before, tsc))
        return min(pairs)[1:]

    start_ns, start_tsc = sample()
    time.sleep(0.02)
    end_ns, end_tsc = sample()
    return round((end_tsc - start_tsc) * 1e6 / (end_ns - start_ns))


def cpio(name, data, mode=0o100755):
    """One file as a newc archive; the kernel unpacks several in a row."""
    def entry(name, data, mode):
        fields = (1, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        raw = b'070701' + b''.join(b'%08X' % f for f in fields)
        raw += name.encode() + b'\0'
        raw += bytes(-len(raw) % 4) + data
        return raw + bytes(-len(raw) % 4)
    return entry(name, data, mode) + entry('TRAILER!!!', b'', 0)


def expand_dies(word):
    """A word for the hive and one for each die, of "dies=N,...". A comma of a value is doubled."""
    count, *options = re.split('(?<!,),(?!,)', word.removeprefix('dies='))
    hive = [o for o in options if o.split('=')[0] in HIVE_OPTIONS]
    die = [o for o in options if o not in hive]
    return [','.join(['vgpu-hive,id=h0', f'nodes={count}', *hive])] + \
        [','.join(['vgpu,hive=h0', f'node={node}', *die]) for node in range(int(count))]


def device_args(words):
    """Every GPU on a hot-pluggable port of its own, and one port to spare."""
    args, ports = [], 0

    def add_port(index):
        return ['-device', f'pcie-root-port,id=rp{index},chassis={index + 1},'
                           f'addr={index + 4:#x},pref64-reserve=4G']
    for word in itertools.chain.from_iterable(
            expand_dies(w) if w.startswith('dies=') else [w] for w in words):
        kind = word.split(',')[0]
        if kind == 'vgpu-hive':
            args += ['-object', word]
        elif kind == 'vgpu':
            args += add_port(ports)
            args += ['-device', f'{word},id=gpu{ports},bus=rp{ports}']
            ports += 1
        else:
            args += ['-device', word]
    return args + add_port(ports)


class Guest:
    """A running QEMU and the sockets to it."""

    def __init__(self, args, tmp):
        self.args = args
        self.log = open(args.log, 'wb') if args.log else None
        self.tail = b''          # what the console said last
        self.result = b''
        self.dmesg = b''
        self.line = b''          # unfinished request of the guest
        self.waiting = None      # device id whose removal the guest awaits
        self.start = time.monotonic()
        self.selector = selectors.DefaultSelector()
        self.listeners = {}
        self.socks = {}
        for name in PORTS + ('qmp', 'console'):
            if name == 'console' and args.shell:
                continue
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(f'{tmp}/{name}')
            listener.listen(1)
            self.listeners[name] = listener
        initrd = f'{tmp}/initrd'
        with open(initrd, 'wb') as out:
            with open(args.initrd, 'rb') as base:
                out.write(base.read())
            out.write(cpio('run.sh', (' '.join(args.command) + '\n').encode()))
        self.proc = subprocess.Popen(self.command(tmp, initrd),
                                     stdin=None if args.shell else subprocess.DEVNULL,
                                     preexec_fn=self.die_with_parent)

    @staticmethod
    def die_with_parent():
        """However this script ends, its QEMU does not outlive it."""
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))

    def command(self, tmp, initrd):
        """The QEMU command line."""
        args = self.args
        kind = args.accel
        # no5lvl: KASAN takes the direct map of five levels for a wild address when
        # an interrupt comes while the boot CPU's capabilities are being read.
        append = ['console=ttyS0', 'quiet', 'panic=-1', 'tsc=reliable', 'no_timer_check',
                  'mitigations=off', 'random.trust_cpu=on', 'no5lvl', 'rdinit=/init',
                  args.append]
        if kind == 'tcg' and (khz := host_tsc_khz()):
            # On a busy host the guest may measure it wrongly by any factor.
            append.append(f'tsc_early_khz={khz}')
        if args.shell:
            append.append('vgpu.shell')
        cmd = [args.qemu, '-machine', 'q35,smm=off,hpet=off,i8042=off,vmport=off',
               '-accel', 'tcg,thread=multi' if kind == 'tcg' else kind,
               '-cpu', 'host' if kind == 'kvm' else 'max',
               '-smp', '2', '-m', args.memory, '-nodefaults', '-no-user-config', '-no-reboot',
               '-display', 'none', '-L', '/usr/share/seabios', '-L', '/usr/share/qemu',
               '-kernel', args.kernel, '-initrd', initrd, '-append', ' '.join(append),
               '-device', 'virtio-serial-pci,max_ports=8',
               '-qmp', f'unix:{tmp}/qmp']
        for number, name in enumerate(PORTS, 1):
            cmd += ['-chardev', f'socket,id={name},path={tmp}/{name}',
                    '-device', f'virtserialport,chardev={name},name=vgpu.{name},nr={number}']
        if args.shell:
            cmd += ['-serial', 'mon:stdio']
        else:
            cmd += ['-chardev', f'socket,id=console,path={tmp}/console',
                    '-serial', 'chardev:console']
        if args.devices != 'none':
            cmd += device_args(args.devices.split())
        return cmd + shlex.split(args.qemu_args)

    def connect(self):
        """QEMU connects to every socket before it runs the guest."""
        for name, listener in self.listeners.items():
            listener.settimeout(0.1)
            while name not in self.socks:
                try:
                    self.socks[name] = listener.accept()[0]
                except socket.timeout:
                    if self.proc.poll() is not None:
                        return False
            listener.close()
            self.selector.register(self.socks[name], selectors.EVENT_READ, name)
        self.qmp({'execute': 'qmp_capabilities'})
        return True

    def qmp(self, command):
        """Send a command; answers come back through on_qmp()."""
        self.socks['qmp'].sendall(json.dumps(command).encode() + b'\n')

    def answer(self, text):
        """One line to the guest that asked."""
        self.socks['host'].sendall(text.encode() + b'\n')

    def on_out(self, data):
        """What the command prints."""
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def on_console(self, data):
        """Kernel messages that are loud enough, and firmware noise."""
        self.tail = (self.tail + data)[-8192:]
        if self.log:
            self.log.write(data)
            self.log.flush()

    def on_result(self, data):
        """The exit code, as a line."""
        self.result += data

    def on_dmesg(self, data):
        """The whole kernel log."""
        self.dmesg += data

    def on_host(self, data):
        """Requests of tools/guest/host, a line each."""
        self.line += data
        while b'\n' in self.line:
            line, self.line = self.line.split(b'\n', 1)
            verb, _, rest = line.decode().strip().partition(' ')
            if verb == 'device_del':
                self.waiting = rest
                self.qmp({'execute': 'device_del', 'arguments': {'id': rest}, 'id': 'del'})
            elif verb == 'device_add':
                driver, *props = rest.split(',')
                # QMP wants a number where a property is one.
                arguments = {k: int(v) if v.isdigit() else v
                             for k, v in (p.split('=', 1) for p in props)}
                self.qmp({'execute': 'device_add', 'id': 'host',
                          'arguments': {'driver': driver, **arguments}})
            elif verb == 'qmp':
                try:
                    self.qmp({**json.loads(rest), 'id': 'host'})
                except ValueError:
                    self.answer('error not JSON')
            else:
                self.answer(f'error unknown request {verb}')

    def on_qmp(self, data):
        """Answers and events of QEMU."""
        self.qmp_line = getattr(self, 'qmp_line', b'') + data
        while b'\n' in self.qmp_line:
            line, self.qmp_line = self.qmp_line.split(b'\n', 1)
            message = json.loads(line)
            if 'error' in message and message.get('id') in ('host', 'del'):
                self.waiting = None
                self.answer('error ' + message['error']['desc'])
            elif message.get('id') == 'host':
                self.answer('ok ' + json.dumps(message['return']))
            elif message.get('event') == 'DEVICE_DELETED' and \
                    message['data'].get('device') == self.waiting and self.waiting:
                self.waiting = None
                self.answer('ok')

    def run(self):
        """Pump until QEMU ends or the time is up; False: it is."""
        deadline = self.start + self.args.timeout if not self.args.shell else None
        while self.selector.get_map():
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return False
            for key, _ in self.selector.select(left):
                try:
                    data = key.fileobj.recv(65536)
                except ConnectionResetError:
                    data = b''
                if data:
                    getattr(self, 'on_' + key.data)(data)
                else:
                    self.selector.unregister(key.fileobj)
        self.proc.wait()
        return True

    def stop(self):
        """End our own QEMU."""
        if self.proc.poll() is None:
            self.proc.terminate()
            try:
                self.proc.wait(5)
            except subprocess.TimeoutExpired:
                self.proc.kill()
                self.proc.wait()


def splats(text):
    """The first lines of what the kernel complained about."""
    lines = text.decode(errors='replace').splitlines()
    hits = [i for i, line in enumerate(lines) if SPLATS.search(line)]
    return lines[hits[0]:hits[0] + 40] if hits else []


def verdict(guest, finished):
    """Exit code of the whole run, with a word on why it is not zero."""
    args = guest.args
    if args.shell:
        return guest.proc.returncode
    if args.log:
        guest.log.write(b'\n--- kernel log ---\n' + guest.dmesg)
        guest.log.flush()
    bad = [] if args.allow_splats else splats(guest.dmesg or guest.tail)
    for line in bad:
        print(line, file=sys.stderr)
    if bad:
        print('boot: the kernel log has a splat', file=sys.stderr)
    if not finished:
        sys.stderr.write(guest.tail.decode(errors='replace')[-3000:])
        print(f'\nboot: no result within {args.timeout:.0f} s', file=sys.stderr)
        return 124
    if not guest.result.strip().isdigit():
        sys.stderr.write(guest.tail.decode(errors='replace')[-3000:])
        print(f'\nboot: the guest died without a result (QEMU exit code '
              f'{guest.proc.returncode})', file=sys.stderr)
        return 125
    if guest.proc.returncode:
        print(f'boot: QEMU ended with exit code {guest.proc.returncode}', file=sys.stderr)
        return 125
    code = int(guest.result)
    return code or (126 if bad else 0)


def main():
    """Boot, pump, judge."""
    args = parse_args()
    args.accel = accel()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix='vgpu-boot.') as tmp:
        guest = Guest(args, tmp)
        try:
            if args.shell:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
            finished = guest.connect() and guest.run()
        except KeyboardInterrupt:
            return 130
        finally:
            guest.stop()
        if args.times:
            print(f'boot: {time.monotonic() - guest.start:.2f} s', file=sys.stderr)
        return verdict(guest, finished or guest.proc.returncode not in (None, -15))


if __name__ == '__main__':
    sys.exit(main())
