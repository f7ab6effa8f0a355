import type { Packet } from '../../../../common/packet/packet';
import { PS_PER_SECOND } from '../../../../common/units/units';
import { HPCC_DATA } from '../../../../common/wire/hpcc/hpcc-transport';
import type { FlowToken, HpccType } from '../../../../common/wire/hpcc/hpcc-transport';
import { KeyRing } from '../../../../host-agent/feedback/key-ring';
import type { HostConfig } from '../../../../host-agent/host/host-config';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import type { HostAgent } from '../../../../host-agent/transport/host';
import { SlabFrames } from '../../../../host-agent/transport/frames/frame-memory';
import { FrameTemplate, tailOf } from '../../../../host-agent/transport/frames/frame-template';
import { addressOf, macOf, testHost } from '../../../support/hosts';
import { testOpening } from '../../../support/opening';
import type { PairOptions } from '../../../support/pair-driver';
import { PairDriver } from '../../../support/pair-driver';

export const DELAY = 2_000_000;
export const END = PS_PER_SECOND;
export const payload = (sequence: number, into: Uint8Array): void =>
  into.forEach((_, i) => (into[i] = (sequence + i) % 251));
export const ring = (byte: number): KeyRing =>
  new KeyRing(hmacSha256, 1, new Uint8Array(32).fill(byte));

/** In the place of HMAC where half a million are wanted; nobody attacks it. */
export function quickCode(_key: Uint8Array, message: Uint8Array): Uint8Array {
  const code = new Uint8Array(32);
  message.forEach((byte, i) => (code[i % 8] = (31 * (code[i % 8] ?? 0) + byte) & 0xff));
  return code;
}

/** Two hosts that do not know each other. */
export interface Pair {
  readonly sender: HostAgent;
  readonly receiver: HostAgent;
  readonly received: number[];
  readonly driver: PairDriver;
}

export function pair({
  options,
  own,
  peers,
}: {
  options?: Partial<PairOptions>;
  own?: Partial<HostConfig>;
  peers?: Partial<HostConfig>;
} = {}): Pair {
  const received: number[] = [];
  const sender = testHost(1, { opening: testOpening(1), ...own });
  const receiver = testHost(2, {
    opening: testOpening(2),
    deliver: ({ stored }) => received.push(...stored),
    ...peers,
  });
  const driver = new PairDriver([sender, receiver], { delay: DELAY, ...options });
  return { sender, receiver, received, driver };
}

/** True if these are the bytes of a flow, once and in order. PERF: jest compares numbers slowly. */
export const isWhole = (received: readonly number[], bytes: number): boolean =>
  received.length === bytes && received.every((byte, i) => byte === i % 251);

const slab = new SlabFrames();

/** A frame that claims to come from host `from`. */
export function forged(from: number, fields: Partial<Forgery> = {}): Packet {
  const { flow = 1, generation = 0, sequence = 0, token, flags = 0, length = 8 } = fields;
  const { type = HPCC_DATA, sourcePort = 50_000, intHopLimit } = fields;
  const addressing = {
    sourceMac: macOf(3),
    destinationMac: macOf(2),
    sourcePort,
    sourceAddress: from,
    destinationAddress: addressOf(2),
    intHopLimit,
  };
  const transport = { type, flowId: flow, generation, token } as const;
  const template = new FrameTemplate(addressing, transport);
  const body = new Uint8Array(length).fill(0xee);
  const stamped = { flags, sequence, length, identification: 0 };
  const bytes = template.emit(stamped, slab, tailOf(body));
  return { bytes, length: bytes.length };
}

interface Forgery {
  readonly type: HpccType;
  readonly sourcePort: number;
  /** Default: it does not ask the switches. */
  readonly intHopLimit: number;
  readonly flow: number;
  readonly generation: number;
  readonly sequence: number;
  readonly token: FlowToken;
  readonly flags: number;
  readonly length: number;
}
