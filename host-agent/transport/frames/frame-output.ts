import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import { ByteSlab } from './byte-slab';
import type { FrameFields, FrameTemplate } from './frame-template';

/** What all flows of a host share for sending: memory for frames and the IPv4 identification. */
export class FrameOutput {
  readonly #slab = new ByteSlab();
  readonly #trailer: Bytes;
  #identification = 0;

  /** @param trailer bytes behind the datagram in every frame; zeros that nobody stores. */
  constructor(trailer: Bytes = 0) {
    this.#trailer = trailer;
  }

  /** A frame with `tail` stored after its headers, or `fields.length` virtual zeros. */
  emit(
    template: FrameTemplate,
    fields: Omit<FrameFields, 'identification'>,
    tail?: Uint8Array,
  ): Packet {
    const identification = this.#identification;
    this.#identification = (identification + 1) & 0xffff;
    const { flags, sequence, length, sentAtNs } = fields;
    const stamped = { flags, sequence, length, identification, sentAtNs };
    const bytes = template.emit(stamped, this.#slab, tail);
    return { bytes, length: template.headerLength + length + this.#trailer };
  }
}
