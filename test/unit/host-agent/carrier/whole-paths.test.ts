import { WireFault } from '../../../../common/wire/fault';
import { hpccppFactory } from '../../../../host-agent/algorithm/window-form';
import { everyAckHasTelemetry } from '../../../../host-agent/feedback/feedback-plan';
import { checkHostConfig } from '../../../../host-agent/host/host-config';
import { newSharedByFlows } from '../../../../host-agent/transport/sending/shared-by-flows';
import { newCarrier } from '../../../../host-agent/carrier/carriers';
import { flowTo, testHost } from '../../../support/hosts';
import { pushHop } from '../../../support/int-hop';
import type { Packet } from '../../../../common/packet/packet';

const HOST = { linkRate: 100e9, hopLimit: 8, asksSojourn: false };
const INT_AT = 14 + 20 + 8;

/** A data frame in which these switches have written, at that time. */
function frameWith(switches: readonly number[], timestamp: number): Packet {
  const host = testHost(1);
  host.startFlow(0, flowTo(2, 0, 1000));
  const sent = host.pollTransmit(0) as Packet;
  return switches.reduce((packet, switchId) => {
    const hop = { switchId, portId: 1, timestamp, txBytes: 0, queueBytes: 0, capacity: 100e9 };
    return pushHop(packet, hop);
  }, sent);
}

const carrier = newCarrier({ name: 'int' }, { ...HOST, switchesChoose: true });

/** Reads frames with the reader of a flow, by switch and time. */
function reading() {
  const reader = carrier.newReader(5_000_000);
  return (switches: readonly number[], timestamp: number) => {
    const { bytes } = frameWith(switches, timestamp);
    const sample = reader.read(bytes, INT_AT, 16 + 32 * switches.length);
    if (sample?.kind !== 'links') return undefined;
    return sample.telemetry.map((hop) => [hop.switchId, hop.timestamp]);
  };
}

describe('telemetry where switches choose the packets', () => {
  it('of the rest of a path is completed with what is known of its beginning', () => {
    const read = reading();
    expect(read([1, 2, 3], 10)).toEqual([
      [1, 10],
      [2, 10],
      [3, 10],
    ]);
    expect(read([3], 20)).toEqual([
      [1, 10],
      [2, 10],
      [3, 20],
    ]);
    expect(read([2, 3], 30)).toEqual([
      [1, 10],
      [2, 30],
      [3, 30],
    ]);
    expect(read([1, 2, 3], 40)).toEqual([
      [1, 40],
      [2, 40],
      [3, 40],
    ]);
  });

  it('stays what it is where it begins another path, or none is known', () => {
    const read = reading();
    expect(read([3], 10)).toEqual([[3, 10]]);
    expect(read([1, 2, 3], 20)).toEqual([
      [1, 20],
      [2, 20],
      [3, 20],
    ]);
    expect(read([4], 30)).toEqual([[4, 30]]);
    expect(read([2, 1], 40)).toEqual([
      [2, 40],
      [1, 40],
    ]);
  });

  it('is no record where no switch has written, and data follows where it does else', () => {
    const headers = carrier.datagramHeaders;
    const empty = frameWith([], 0);
    const one = frameWith([1], 0);
    expect(headers?.find(empty.bytes, INT_AT, empty.length)).toMatchObject({
      skip: 16,
      telemetryLength: 0,
    });
    expect(headers?.find(one.bytes, INT_AT, one.length)).toMatchObject({
      skip: 48,
      telemetryLength: 48,
    });
    expect(headers?.find(empty.bytes.subarray(0, 50), INT_AT, 50)).toBeInstanceOf(WireFault);
  });
});

describe('a host whose switches choose', () => {
  it.each([
    [false, true, 32],
    [true, false, 0],
  ])('(%s) misses telemetry (%s), and paces frames that grow by %d', (chooses, misses, growth) => {
    const config = checkHostConfig({
      address: 1,
      mac: 1,
      linkRate: 100e9,
      baseRtt: 5_000_000,
      congestionControl: hpccppFactory(),
      feedback: { switchesChoose: chooses },
    });
    expect(everyAckHasTelemetry(config.feedback)).toBe(misses);
    expect(newSharedByFlows(config).settings.hopLength).toBe(growth);
  });

  it.each([
    [{ feedback: { switchesChoose: true, collectBy: 'probe' } }, 'switchesChoose is about data'],
    [
      { feedback: { switchesChoose: true }, pathSelection: { paths: 2 } },
      'switchesChoose is about',
    ],
    [{ feedback: { switchesChoose: true }, measureBaseRtt: {} }, 'switchesChoose is about data'],
    [
      { feedback: { switchesChoose: true }, carrier: { name: 'ifa' } },
      'switchesChoose is about INT, not about carrier: ifa',
    ],
  ] as const)('is refused with %j', (config, message) => {
    expect(() => testHost(1, config)).toThrow(message);
  });
});
