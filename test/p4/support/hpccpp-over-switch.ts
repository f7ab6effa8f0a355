import type { HopRecord } from '../../../common/hop/hop';
import { gigabitsPerSecond, microseconds } from '../../../common/units/units';
import { HpccppWindow } from '../../../host-agent/algorithm';
import { findInt, readInt } from '../../../host-agent/carrier/int-carrier';
import { WireFault } from '../../../common/wire/fault';
import type { PacketSwitch } from './packet-switch';
import { frameOf, INT_DSCP } from './telemetry-packet';

/** One acknowledgement, as the sender has seen it. */
export interface Reaction {
  /** The hop as the switch has told it, without what it cannot know. */
  readonly told: HopRecord;
  readonly windowBytes: number;
  readonly pacingRate: number;
}

const LINK_RATE = gigabitsPerSecond(100);
const BOTTLENECK_RATE = gigabitsPerSecond(25);
const BASE_RTT = microseconds(2);
const PAYLOAD_BYTES = 1000;
/** Ethernet, IPv4 and UDP before INT. */
const INT_AT = 42;
const PS_PER_NS = 1000;

/**
 * Sends packets of one flow by HPCC++ in virtual time through a switch whose port to the receiver has
 * a quarter of the link's rate. The switch counts and writes telemetry; queue and clock, which its
 * model has none of, are those of the port in virtual time, and take the places in its hop.
 */
export async function hpccppOver(
  device: PacketSwitch,
  port: number,
  count: number,
): Promise<readonly Reaction[]> {
  const flow = new HpccppWindow({ linkRate: LINK_RATE, baseRtt: BASE_RTT });
  const reactions: Reaction[] = [];
  const acknowledgements: { readonly at: number; readonly hop: HopRecord; readonly ack: number }[] =
    [];
  let now = 0;
  let freeAt = 0;
  let next = 0;
  let acked = 0;
  const acknowledge = (): void => {
    const due = acknowledgements.shift();
    if (due === undefined) throw new Error('a flow that waits has something on its way');
    now = Math.max(now, due.at);
    acked = due.ack;
    const telemetry = [due.hop];
    const ack = { ackSequence: acked, nextSequence: next, telemetry, isIncomplete: false, now };
    flow.onAck(ack);
    const { windowBytes, pacingRate } = flow;
    reactions.push({ told: due.hop, windowBytes, pacingRate });
  };
  for (let sent = 0; sent < count; sent += 1) {
    while (next - acked + PAYLOAD_BYTES > flow.windowBytes && next > acked) acknowledge();
    const bytes = frameOf(PACKET);
    const told = await throughSwitch(device, bytes, port);
    const duration = ((bytes.length + 24) * 8e12) / BOTTLENECK_RATE;
    const leavesAt = Math.max(now, freeAt);
    const queueBytes = Math.round(((leavesAt - now) * BOTTLENECK_RATE) / 8e12);
    freeAt = leavesAt + duration;
    next += PAYLOAD_BYTES;
    const timestamp = Math.round(leavesAt / PS_PER_NS);
    const hop = { ...told, queueBytes, timestamp };
    acknowledgements.push({ at: freeAt + BASE_RTT, hop, ack: next });
    now += (bytes.length * 8e12) / flow.pacingRate;
  }
  while (acknowledgements.length > 0) acknowledge();
  return reactions;
}

const PACKET = {
  family: 4,
  transport: 'udp',
  optionWords: 0,
  dscp: INT_DSCP,
  telemetry: {
    set: 'base',
    hops: 0,
    remainingHops: 8,
    flags: 0,
    dsFlags: 0,
    originalDscp: 0,
  },
  payload: new Uint8Array(PAYLOAD_BYTES),
} as const;

/** Sends a packet; returns the hop that comes out, by the code of hosts. */
async function throughSwitch(
  device: PacketSwitch,
  bytes: Uint8Array,
  port: number,
): Promise<HopRecord> {
  const [out, ...others] = await device.send({ port, bytes });
  if (out === undefined || others.length > 0) throw new Error('one packet leaves for each');
  const found = findInt(out.bytes, INT_AT);
  if (found instanceof WireFault) throw new Error(found.reason);
  const sample = readInt(out.bytes, found.telemetryAt, found.telemetryLength);
  if (sample?.kind !== 'links') throw new Error('the packet has telemetry of links');
  const [hop, ...more] = sample.telemetry;
  if (hop === undefined || more.length > 0) throw new Error('the switch adds one hop');
  return { ...hop, timestamp: 0, queueBytes: 0 };
}
