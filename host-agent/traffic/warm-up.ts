import type { Instant } from '../../common/units/units';
import { serialisationTime } from '../../common/units/units';
import { HostAgent } from '../transport/host';
import { MSS } from '../host/host-config';
import type { HostConfig } from '../host/host-config';
import type { HostCounters } from '../host/host-events';
import { VirtualLink } from './virtual-link';

/** Counters of both hosts of a warm-up. */
interface WarmUp {
  readonly sender: HostCounters;
  readonly receiver: HostCounters;
}

/**
 * Sends a flow of so many full segments from one host to another inside the process, in virtual time,
 * over one slower link that adds its telemetry. Both are configured like the host that `config` is of, which
 * should name nobody who looks on or takes payload.
 *
 * Code that handles packets is compiled while it runs, during its first thousands of packets. Meanwhile
 * threads of the compiler hold up those that send, for milliseconds each time where processors are few,
 * and a host that has just begun does not fill a link of 100 Mb/s for a quarter of a second.
 */
export function warmUp(config: HostConfig, segments: number): WarmUp {
  const [sender, receiver] = [newHost(config, SENDER), newHost(config, RECEIVER)];
  const { linkRate, baseRtt, retransmissionTimeout = Infinity, mss = MSS } = config;
  const to = { destinationAddress: RECEIVER, destinationMac: MAC };
  sender.startFlow(0, { id: 0, ...to, bytes: segments * mss });
  // Nobody shall send again what is only on its way.
  const delay = DELAY * Math.min(baseRtt, retransmissionTimeout / 2);
  const there = new VirtualLink(BOTTLENECK * linkRate, delay);
  const back = new VirtualLink(linkRate, delay);
  const wakeupOf = (host: HostAgent): Instant => host.pollWakeup() ?? Infinity;
  let busyUntil: Instant = 0;
  for (let now: Instant = 0; ;) {
    there.deliver(now, receiver);
    back.deliver(now, sender);
    for (let answer = receiver.pollTransmit(now); answer !== undefined;) {
      back.send(now, answer);
      answer = receiver.pollTransmit(now);
    }
    const packet = now < busyUntil ? undefined : sender.pollTransmit(now);
    if (packet !== undefined) {
      there.send(now, packet);
      busyUntil = now + serialisationTime(packet.length, linkRate);
    }
    for (const host of [sender, receiver]) while (host.pollEvent() !== undefined);
    const arrival = Math.min(there.nextArrival, back.nextArrival);
    const free = now < busyUntil ? busyUntil : Infinity;
    const next = Math.min(arrival, free, wakeupOf(sender), wakeupOf(receiver));
    if (next === Infinity) return { sender: sender.counters(), receiver: receiver.counters() };
    now = Math.max(now, next);
    for (const host of [sender, receiver]) host.handleWakeup(now);
  }
}

/** Addresses for examples (RFC 5737); the frames never leave the process. */
const SENDER = 0xc000_0201;
const RECEIVER = 0xc000_0202;
const MAC = 0x0200_0000_0000;
/** The link is slower than the hosts, so that it has a queue and windows close. */
const BOTTLENECK = 0.8;
/** One-way delay as a share of T; the rest of T is for packets. */
const DELAY = 0.4;

function newHost(config: HostConfig, address: number): HostAgent {
  return new HostAgent({ ...config, address, mac: MAC });
}
