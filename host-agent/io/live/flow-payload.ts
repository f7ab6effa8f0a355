import { createHash } from 'node:crypto';
import { assert } from '../../../common/assert';
import { PayloadPattern } from '../../traffic/payload-pattern';
import type { Delivery } from '../../host/host-config';
import { formatIpv4 } from '../../../common/topology/topology';
import type { Bytes } from '../../../common/units/units';
import type { HostEvent } from '../../host/host-events';

/** Payload of a sent flow, with a checksum of each byte once, however often it is sent. */
export class FlowPayload {
  readonly #pattern: PayloadPattern;
  readonly #hash = createHash('sha256');
  #hashed = 0;

  constructor(seed: number) {
    this.#pattern = new PayloadPattern(seed);
  }

  /** As a flow asks for it; nothing is skipped when it is sent for the first time. */
  readonly write = (sequence: number, into: Uint8Array): void => {
    const bytes = this.#pattern.at(sequence, into.length);
    into.set(bytes);
    const end = sequence + into.length;
    if (end <= this.#hashed) return;
    assert(sequence <= this.#hashed, 'a flow is sent without gaps');
    this.#hash.update(bytes.subarray(this.#hashed - sequence));
    this.#hashed = end;
  };

  /** SHA-256 of all that was sent, in hexadecimal; once. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** Checksums of the flows that a host receives, and a watch on their order. */
export class DeliveryCheck {
  readonly #flows = new Map<string, { hash: ReturnType<typeof createHash>; bytes: number }>();

  readonly deliver = ({ sourceAddress, flow, sequence, length, stored }: Delivery): void => {
    const key = keyOf(sourceAddress, flow);
    // A flow that begins again has replaced one that never ended.
    if (sequence === 0) this.#flows.set(key, { hash: createHash('sha256'), bytes: 0 });
    const known = this.#flows.get(key);
    assert(known?.bytes === sequence, 'payload is delivered in order, exactly once');
    assert(stored.length === length, 'payload of real interfaces has all its bytes');
    known.hash.update(stored);
    known.bytes += length;
  };

  /** SHA-256 of a flow that has ended, in hexadecimal; once per flow. */
  digest(sourceAddress: number, flow: number): string | undefined {
    const key = keyOf(sourceAddress, flow);
    const digest = this.#flows.get(key)?.hash.digest('hex');
    this.#flows.delete(key);
    return digest;
  }
}

const keyOf = (address: number, flow: number): string => `${address}/${flow}`;

/** A flow of which every byte has been received, in order and once. */
export interface ReceivedFlow {
  readonly source: string;
  readonly flow: number;
  readonly bytes: Bytes;
  /** SHA-256 in hexadecimal, where it was asked for. */
  readonly sha256?: string;
}

const REMEMBERED = 100;

/** The latest flows that a host has received. */
export class ReceivedFlows {
  readonly #deliveries: DeliveryCheck | undefined;
  readonly #latest: ReceivedFlow[] = [];

  constructor(deliveries: DeliveryCheck | undefined) {
    this.#deliveries = deliveries;
  }

  get latest(): readonly ReceivedFlow[] {
    return this.#latest;
  }

  note({
    sourceAddress,
    flow,
    bytes,
  }: Extract<HostEvent, { kind: 'flow-received' }>): ReceivedFlow {
    const sha256 = this.#deliveries?.digest(sourceAddress, flow);
    const source = formatIpv4(sourceAddress);
    const received = { source, flow, bytes, ...(sha256 !== undefined && { sha256 }) };
    this.#latest.push(received);
    if (this.#latest.length > REMEMBERED) this.#latest.shift();
    return received;
  }
}
