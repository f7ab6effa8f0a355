import {
  filterBytes,
  filterText,
  interceptionFilter,
  segmentFilter,
  telemetryFilter,
} from '../../../../host-agent/tcp/classic-filter';
import type { FilterInstruction } from '../../../../host-agent/tcp/classic-filter';
import { probeFrame } from '../../../../host-agent/tcp/probe-frame';
import { hasInterception, judgeQdiscs } from '../../../../host-agent/tcp/qdisc-state';
import { openCommands, rateCommand, rootCommands } from '../../../../host-agent/tcp/tc-commands';
import { unfilterCommand } from '../../../../host-agent/tcp/tc-commands';
import { arrivingSegment } from '../../../support/simulated-tcp';

const DEVICE = { name: 'eth1', address: 0x0a00_0001, mtu: 1500 };
const KEY = {
  localAddress: 0x0a00_0001,
  localPort: 43_690,
  remoteAddress: 0x0a00_0002,
  remotePort: 5201,
};

describe('commands for tc', () => {
  test('make a class with its bucket and its filter, all by the number of the class', () => {
    expect(openCommands(DEVICE, KEY, { classId: 0x12, rate: 20e6 })).toEqual([
      'class add dev eth1 parent 4850: classid 4850:12 htb' +
        ' rate 20000000bit burst 3028 cburst 3028 quantum 1514',
      'qdisc add dev eth1 parent 4850:12 tbf rate 40gbit burst 2271 limit 4000000',
      'filter add dev eth1 parent 4850: prio 1 handle 1:aa:3 protocol ip u32 ht 1:aa:' +
        ' match ip src 10.0.0.1/32 match ip dst 10.0.0.2/32' +
        ' match ip sport 43690 0xffff match ip dport 5201 0xffff flowid 4850:12',
    ]);
    expect(unfilterCommand(DEVICE, KEY, 0x12)).toBe(
      'filter del dev eth1 parent 4850: prio 1 handle 1:aa:3 protocol ip u32',
    );
  });

  test('let fast classes catch up for a quarter of a millisecond', () => {
    expect(rateCommand(DEVICE, { classId: 0x10, rate: 800e6 })).toBe(
      'class change dev eth1 parent 4850: classid 4850:10 htb' +
        ' rate 800000000bit burst 25000 cburst 25000 quantum 1514',
    );
  });

  test('never make a class of rate 0', () => {
    expect(rateCommand(DEVICE, { classId: 0x10, rate: 0.1 })).toContain('rate 1bit');
  });

  test('look filters up by the low byte of the source port', () => {
    expect(rootCommands(DEVICE).at(-1)).toContain('hashkey mask 0x00ff0000 at 20 link 1:');
  });
});

/** Runs these instructions as classic BPF does. */
function run(program: readonly FilterInstruction[], frame: Uint8Array): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  let accumulator = 0;
  for (let at = 0; ; at++) {
    const { code, ifTrue, ifFalse, operand } = program[at] ?? { code: 0x06, operand: NaN };
    if (code === 0x28) accumulator = view.getUint16(operand);
    else if (code === 0x30) accumulator = view.getUint8(operand);
    else if (code === 0x20) accumulator = view.getUint32(operand);
    else if (code === 0x54) accumulator &= operand;
    else if (code === 0x15) at += (accumulator === operand ? ifTrue : ifFalse) ?? 0;
    else return operand;
  }
}

describe('filters of frames', () => {
  const segment = arrivingSegment({ key: KEY });
  const { localAddress, localPort, remoteAddress, remotePort } = KEY;
  const probe = probeFrame({
    key: {
      localAddress: remoteAddress,
      localPort: remotePort,
      remoteAddress: localAddress,
      remotePort: localPort,
    },
    localMac: 1,
    remoteMac: 2,
    unacknowledged: 9,
    expected: 9,
    id: 1,
    hopLimit: 8,
    dscp: 0,
  });
  const other = Uint8Array.from(segment);
  other[23] = 17;
  const ipv6 = Uint8Array.from(segment);
  ipv6[12] = 0x86;
  const { address } = DEVICE;

  test.each([
    ['telemetry', probe, [0x40000, 0, 2]],
    ['telemetry with congestion marks', probe.with(15, 0x5f), [0x40000, 0, 2]],
    ['other TCP', segment, [0, 134, 0xffff_ffff]],
    ['TCP to another address', segment.with(33, 9), [0, 0, 0xffff_ffff]],
    ['telemetry to another address', probe.with(33, 9), [0, 0, 0xffff_ffff]],
    ['UDP', other, [0, 0, 0xffff_ffff]],
    ['IPv6', ipv6, [0, 0, 0xffff_ffff]],
  ])('decide about %s', (_what, frame, verdicts) => {
    const programs = [
      telemetryFilter(address),
      segmentFilter(address),
      interceptionFilter(address),
    ];
    expect(programs.map((program) => run(program, frame))).toEqual(verdicts);
  });

  test('are written as tc and as the kernel take them', () => {
    const program = [{ code: 0x28, ifTrue: 1, ifFalse: 2, operand: 0x01020304 }];
    expect(filterText(program)).toBe('1,40 1 2 16909060');
    expect(Buffer.from(filterBytes(program)).toString('hex')).toBe('2800010204030201');
  });
});

describe('what stands at an interface', () => {
  const root = (kind: string, handle: string) => ({ kind, handle, root: true });

  test.each([
    ['nothing', [], { hasOwnRoot: false, hasIngress: false }],
    ['the default', [root('noqueue', '0:')], { hasOwnRoot: false, hasIngress: false }],
    ['our own', [root('htb', '4850:')], { hasOwnRoot: true, hasIngress: false }],
    [
      'an ingress',
      [root('mq', '0:'), { kind: 'clsact', handle: 'ffff:' }],
      { hasOwnRoot: false, hasIngress: true },
    ],
  ])('may be %s', (_what, shown, state) => {
    expect(judgeQdiscs('eth1', JSON.stringify(shown))).toEqual(state);
  });

  test.each([
    ['htb', '5:'],
    ['fq_codel', '8001:'],
    ['netem', '4850:'],
  ])('is left alone if it is %s %s of somebody else', (kind, handle) => {
    const shown = JSON.stringify([root(kind, handle)]);
    expect(() => judgeQdiscs('eth1', shown)).toThrow(`eth1 has the queueing discipline ${kind}`);
  });

  test('tells our filter by its preference', () => {
    expect(hasInterception('filter protocol ip pref 18512 bpf chain 0 \n')).toBe(true);
    expect(hasInterception('filter protocol ip pref 1851 bpf chain 0 \n')).toBe(false);
    expect(hasInterception('')).toBe(false);
  });
});
