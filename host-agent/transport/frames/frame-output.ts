import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import type { SourceRoutes } from '../../../common/wire/ip/source-paths';
import { writePath } from './source-routes';
import { SlabFrames } from './frame-memory';
import type { FrameMemory, FrameTail } from './frame-memory';
import type { FrameFields, FrameTemplate } from './frame-template';

interface FrameOptions {
  /** Bytes behind the datagram in every frame; zeros that nobody stores. Default 0. */
  readonly trailerBytes?: Bytes;
  readonly memory?: FrameMemory | undefined;
  /** Paths that are written into frames. Default: switches choose. */
  readonly routes?: SourceRoutes | undefined;
}

/** Resources for sending that all flows of a host share: memory for frames, the IPv4 identification, and paths. */
export class FrameOutput {
  readonly #memory: FrameMemory;
  readonly #trailer: Bytes;
  readonly #routes: SourceRoutes | undefined;
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

  constructor({ trailerBytes = 0, memory = new SlabFrames(), routes }: FrameOptions = {}) {
    this.#trailer = trailerBytes;
    this.#memory = memory;
    this.#routes = routes;
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
    if (this.#routes !== undefined) writePath(this.#routes, bytes);
    return this.#memory.frame(bytes, template.headerLength + length + this.#trailer);
  }
}
