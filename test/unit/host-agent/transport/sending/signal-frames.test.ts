import type { Packet } from '../../../../../common/packet/packet';
import {
  HPCC_DATA,
  HPCC_FLAG_FIN,
  HPCC_FLAG_RETRANSMIT,
  HPCC_PROBE,
} from '../../../../../common/wire/hpcc/hpcc-transport';
import { parseCsig } from '../../../../../common/wire/csig/csig';
import { WireFault } from '../../../../../common/wire/fault';
import { parsePathShim } from '../../../../../common/wire/hpcc/path-shim';
import { readUint16 } from '../../../../../common/wire/bytes';
import { FixedRate } from '../../../../../host-agent/algorithm/fixed-rate';
import type { Signals } from '../../../../../host-agent/algorithm/signals';
import { SIGNALS_OF_NOTHING } from '../../../../../host-agent/algorithm/signals';
import type { FlowSpec, HostConfig } from '../../../../../host-agent/host/host-config';
import { must } from '../../../../support/frames';
import { flowTo, testHost } from '../../../../support/hosts';
import { seenFrame } from '../../../../support/transport-frames';

const MICROSECOND = 1_000_000;
const DESTINATION_PORT_AT = 36;
const SHIM_AT = 42;
const CSIG_AT = 12;

/** The frames that leave one microsecond after another. */
function framesOf(
  count: number,
  config: Partial<HostConfig>,
  given: Partial<FlowSpec> = {},
): readonly Packet[] {
  const host = testHost(1, { congestionControl: () => new FixedRate(100e9), ...config });
  host.startFlow(0, { ...flowTo(2, 7, 100_000), ...given });
  return Array.from({ length: count }, (_, i) => must(host.pollTransmit(i * MICROSECOND)));
}

const portOf = ({ bytes }: Packet): number => readUint16(bytes, DESTINATION_PORT_AT);
const dscpOf = ({ bytes }: Packet): number => (bytes[15] as number) >>> 2;
const ecnOf = ({ bytes }: Packet): number => (bytes[15] as number) & 3;

describe('data of an algorithm without records of hops', () => {
  const shimOf = (signals: Partial<Signals>) => {
    const [, second] = framesOf(2, { signals: { ...SIGNALS_OF_NOTHING, ...signals } });
    const packet = must(second);
    return portOf(packet) === 50_005 ? parsePathShim(packet.bytes, SHIM_AT) : undefined;
  };

  it('has a place for the digest of switches, the time at which it left, or both', () => {
    expect(shimOf({ telemetry: 'digest' })).toMatchObject({ sentAtNs: undefined });
    expect(shimOf({ telemetry: 'digest' })).toHaveProperty('digest', expect.any(Number));
    expect(shimOf({ timestamps: true })).toEqual({ digest: undefined, sentAtNs: 1000 });
    const both = shimOf({ telemetry: 'digest', timestamps: true });
    expect(both).toEqual({ digest: expect.any(Number) as number, sentAtNs: 1000 });
  });

  it('has neither where it wants neither', () => {
    expect(shimOf({})).toBeUndefined();
    const [packet] = framesOf(1, { signals: SIGNALS_OF_NOTHING });
    expect([must(packet).length, portOf(must(packet))]).toEqual([1000 + 58, 50_002]);
  });

  it('may be marked by switches only where it wants marks', () => {
    for (const marks of [false, true]) {
      const signals = { ...SIGNALS_OF_NOTHING, marks };
      expect(framesOf(1, { signals }).map(ecnOf)).toEqual([marks ? 2 : 0]);
    }
  });
});

describe('the packets of a flow', () => {
  it('show its class where no telemetry takes the place', () => {
    const feedback = { collectEvery: 2 };
    expect(framesOf(2, { feedback }, { dscp: 10 }).map(dscpOf)).toEqual([0x17, 10]);
    expect(framesOf(2, { feedback }).map(dscpOf)).toEqual([0x17, 0]);
  });

  it('say that they are sent again, besides what they said before', () => {
    const host = testHost(1);
    host.startFlow(0, flowTo(2, 7, 1000));
    expect(seenFrame(must(host.pollTransmit(0))).flags).toBe(HPCC_FLAG_FIN);
    host.handleWakeup(500_000_000);
    const again = seenFrame(must(host.pollTransmit(500_000_000)));
    expect(again.flags).toBe(HPCC_FLAG_FIN | HPCC_FLAG_RETRANSMIT);
  });
});

describe('the questions of a carrier with two of them', () => {
  const questionOf = ({ bytes }: Packet): number => {
    const tag = parseCsig(bytes, CSIG_AT, bytes.length, 'ietf');
    if (tag instanceof WireFault) throw new Error(tag.toString());
    return tag.type;
  };
  const TYPE_AT = 4 + 42;

  it('take turns in the data', () => {
    const packets = framesOf(5, { carrier: { name: 'csig' } });
    expect(packets.map(questionOf)).toEqual([1, 2, 1, 2, 1]);
    expect(new Set(packets.map(({ bytes }) => (bytes[TYPE_AT] as number) & 0xf))).toEqual(
      new Set([HPCC_DATA]),
    );
  });

  it('take turns in probes that ask in place of the data', () => {
    const config = { carrier: { name: 'csig' }, feedback: { collectBy: 'probe' } } as const;
    const host = testHost(1, config);
    host.startFlow(0, flowTo(2, 7, 1_000_000));
    const asked: number[] = [];
    for (let now = 0; now < 200 * MICROSECOND; now += MICROSECOND) {
      const packet = host.pollTransmit(now);
      const isTagged = packet !== undefined && readUint16(packet.bytes, CSIG_AT) === 0x9900;
      if (!isTagged) continue;
      expect((packet.bytes[TYPE_AT] as number) & 0xf).toBe(HPCC_PROBE);
      asked.push(questionOf(packet));
    }
    expect(asked.slice(0, 4)).toEqual([1, 2, 1, 2]);
  });
});
