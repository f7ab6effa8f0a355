import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import { SlabFrames } from './frame-memory';
import type { FrameMemory } from './frame-memory';
import type { FrameFields, FrameTail, FrameTemplate } from './frame-template';

/** Resources for sending that all flows of a host share: memory for frames and the IPv4 identification. */
export class FrameOutput {
  readonly #memory: FrameMemory;
  readonly #trailer: Bytes;
  /** PERF: filled in again for each frame. */
  readonly #fields: { -readonly [Name in keyof FrameFields]: FrameFields[Name] } = {
    flags: 0,
    sequence: 0,
    length: 0,
    identification: 0,
    stamp: 0,
    sourcePort: undefined,
  };
  #identification = 0;

  /** @param trailer bytes behind the datagram in every frame; zeros that nobody stores. */
  constructor(trailer: Bytes = 0, memory: FrameMemory = new SlabFrames()) {
    this.#trailer = trailer;
    this.#memory = memory;
  }

  /** A frame with `tail` stored after its headers, or `fields.length` virtual zeros. */
  emit(
    template: FrameTemplate,
    { flags, sequence, length, stamp = 0, sourcePort }: Omit<FrameFields, 'identification'>,
    tail?: FrameTail,
  ): Packet {
    const fields = this.#fields;
    fields.flags = flags;
    fields.sequence = sequence;
    fields.length = length;
    fields.identification = this.#identification;
    fields.stamp = stamp;
    fields.sourcePort = sourcePort;
    this.#identification = (fields.identification + 1) & 0xffff;
    const bytes = template.emit(fields, this.#memory, tail);
    return this.#memory.frame(bytes, template.headerLength + length + this.#trailer);
  }
}
