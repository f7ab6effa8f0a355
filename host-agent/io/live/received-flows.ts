import { formatIpv4 } from '../../../common/topology/addresses';
import type { Bytes } from '../../../common/units/units';
import type { HostEvent } from '../../host/host-events';
import type { DeliveryCheck } from './flow-payload';

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
