import type { Instant } from '../../common/units/units';
import type { Agent } from '../../host-agent/host/agent';
import type { HostConfig } from '../../host-agent/host/host-config';
import { FEEDBACK_PRESETS } from '../../host-agent/feedback/feedback-plan';
import { KeyRing } from '../../host-agent/feedback/key-ring';
import { flowTo } from '../support/hosts';
import { networkKeys } from '../support/notifications';
import { testOpening } from '../support/opening';
import { PairDriver } from '../support/pair-driver';
import { framesOf, packFrames } from './frame-list';
import { holds } from './target';
import type { TakeInput } from './target';

const DELAY = 2_000_000;
const STEP = 1_000_000;
/** Payload of a flow: a few short frames. */
const FLOW_BYTES = 100;
/** Frames that a host may send before it hears anything again. */
const ANSWERS_MAX = 200;
/** Part of a conversation that an input begins with. */
const FRAMES_MAX = 6;

/** Ways in which hosts are set up; an input's first byte says which. */
const PLANS: readonly Partial<HostConfig>[] = Object.values(FEEDBACK_PRESETS).map((feedback) => ({
  feedback,
}));

/** In the place of HMAC, which would be most of the work. */
function quickCode(key: Uint8Array, message: Uint8Array): Uint8Array {
  const code = new Uint8Array(32).fill(key[0] ?? 0);
  message.forEach((byte, i) => (code[i % 32] = (31 * (code[i % 32] ?? 0) + byte) & 0xff));
  return code;
}

/** Which of several ways a byte says. */
function configOf(way: number, n: number): Partial<HostConfig> {
  const keys = (way >> 4) % 2 === 1 ? { keyRing: ring() } : {};
  const opening = (way >> 5) % 2 === 1 ? { opening: { ...testOpening(n), mac: quickCode } } : {};
  const coordination = (way >> 6) % 2 === 1 ? { coordination: { keys: networkKeys() } } : {};
  const plan = PLANS[(way & 0xf) % PLANS.length] ?? {};
  return { ...plan, ...keys, ...opening, ...coordination };
}

const ring = (): KeyRing => new KeyRing(quickCode, 1, new Uint8Array(32).fill(7));
const payload = (sequence: number, into: Uint8Array): void =>
  into.forEach((_, i) => (into[i] = (sequence + i) % 251));

/** Makes hosts of one kind, and makes checksums over their frames right. */
export interface HostKind {
  readonly make: (n: number, config: Partial<HostConfig>) => Agent;
  /** May change the bytes. */
  repaired(bytes: Uint8Array): Uint8Array;
  /** Settings that exclude each other are not combined. */
  ways: readonly number[];
}

/** A host that has sent the beginning of a flow, as in the conversations. */
function started({ make }: HostKind, way: number): Agent {
  const host = make(2, configOf(way, 2));
  host.startFlow(0, { ...flowTo(1, 9, FLOW_BYTES), payload });
  return host;
}

/** For every way, the beginning of what such a host hears from its peer. */
export function conversations(kind: HostKind): Uint8Array[] {
  return kind.ways.map((way) => {
    const heard: Uint8Array[] = [];
    const peer = kind.make(1, configOf(way, 1));
    peer.startFlow(0, { ...flowTo(2, 7, FLOW_BYTES), payload });
    const driver = new PairDriver([peer, started(kind, way)], {
      delay: DELAY,
      network: (from, packet) => {
        if (from === 0) heard.push(packet.bytes.slice(0, packet.length));
        return packet;
      },
    });
    driver.run(10 * STEP * FRAMES_MAX);
    return Uint8Array.from([way, ...packFrames(heard.slice(0, FRAMES_MAX))]);
  });
}

/** Gives the frames of an input to a new host, and lets it answer. */
export function takeFrames(kind: HostKind): TakeInput {
  return (input) => {
    const way = kind.ways[(input[0] ?? 0) % kind.ways.length] ?? 0;
    const known = kind.ways.includes(input[0] ?? 0) ? (input[0] ?? 0) : way;
    const host = started(kind, known);
    let now = settled(host, 0);
    for (const bytes of framesOf(input.subarray(1))) {
      const frame = kind.repaired(bytes);
      now = Math.max(now + STEP, now);
      host.handlePacket(now, { bytes: frame, length: frame.length });
      now = settled(host, now);
    }
    const wakeup = host.pollWakeup();
    if (wakeup === undefined) return;
    now = Math.max(now, wakeup);
    host.handleWakeup(now);
    settled(host, now);
  };
}

/** Takes what a host sends and tells. */
function settled(host: Agent, now: Instant): Instant {
  let answers = 0;
  while (host.pollTransmit(now) !== undefined) {
    holds(++answers < ANSWERS_MAX, () => `${answers} frames without hearing any`);
  }
  while (host.pollEvent() !== undefined) answers++;
  return now;
}
