import { InputError } from '../../common/errors';
import type { Bytes, PortNumber } from '../../common/units/units';
import type { WatchdogOptions } from './storm-options';

/** The memory of a switch, and how its ports share it. */
export interface BufferOptions {
  readonly bytes: Bytes;
  /**
   * Alpha by priority: a group may hold alpha times the free part of the shared memory (dynamic
   * thresholds, Choudhury and Hahne 1998). Priorities behind the last have the last one's.
   */
  readonly alphas: readonly number[];
  /** Bytes that each group owns before it uses the shared part. */
  readonly reservedBytes: Bytes;
  /** Absent: what finds no room is dropped. */
  readonly lossless?: LosslessOptions | undefined;
}

/** Priorities whose senders are paused before they lose anything. */
export interface LosslessOptions {
  readonly priorities: readonly number[];
  /** Per port and priority: room for what still arrives after a pause. */
  readonly headroomBytes: (port: PortNumber) => Bytes;
  /** A pause ends when a group is so far below its threshold. */
  readonly resumeOffsetBytes: Bytes;
  /** Duration of a pause unless it is repeated, in quanta of 512 bit times. */
  readonly quanta: number;
  /** Absent: a neighbour may pause for ever. */
  readonly watchdog?: WatchdogOptions | undefined;
}

/**
 * Packets that are accounted for together: in lossless priorities those that came in at one port,
 * because it is there that a sender can be paused; in others those that wait in one queue.
 */
export interface BufferGroup {
  /** Bytes in the reserved and the shared part. */
  bytes: Bytes;
  readonly reserve: Bytes;
  readonly headroomMax: Bytes;
  headroomUsed: Bytes;
  readonly alpha: number;
  /** True while the sender is paused. */
  isPaused: boolean;
}

/** Peaks of memory use in a run. */
export interface BufferPeaks {
  readonly sharedBytes: Bytes;
  /** Largest headroom used by one port and priority. */
  readonly headroomBytes: Bytes;
}

/**
 * The accounts of a buffer that all ports of a switch share:
 *
 *     bytes = headroom of every lossless port and priority + reserved of every group + shared
 *
 * A packet is counted from its admission until its transmission starts. It goes to the reserve of its
 * group, or to the shared part as long as the group has at most alpha times what is free there, or to
 * the headroom; where none has room, it is refused.
 */
export class SharedBuffer {
  readonly #options: BufferOptions;
  /** Size of the shared part. */
  readonly #capacity: Bytes;
  #used: Bytes = 0;
  #usedPeak: Bytes = 0;
  #headroomPeak: Bytes = 0;

  /**
   * @param ports those that lossless traffic comes in at. @param priorities queues per port.
   * @throws InputError when reserves and headroom leave nothing to share.
   */
  constructor(options: BufferOptions, ports: readonly PortNumber[], priorities: number) {
    this.#options = options;
    const { lossless, bytes, reservedBytes } = options;
    const perPort = ports.map(
      (port) => (lossless?.headroomBytes(port) ?? 0) * (lossless?.priorities.length ?? 0),
    );
    const headroom = perPort.reduce((sum, each) => sum + each, 0);
    const reserved = reservedBytes * ports.length * priorities;
    this.#capacity = bytes - headroom - reserved;
    if (this.#capacity > 0) return;
    const parts = `${headroom} bytes of headroom and ${reserved} reserved ones`;
    throw new InputError(
      `a buffer of ${bytes} bytes leaves nothing to share: ${ports.length} ports need ${parts}`,
    );
  }

  /** The group of one of the ports that the memory was divided for. */
  group(priority: number, headroomMax: Bytes): BufferGroup {
    return this.#newGroup(priority, this.#options.reservedBytes, headroomMax);
  }

  /** The group of a port that has nothing for itself. */
  guest(priority: number): BufferGroup {
    return this.#newGroup(priority, 0, 0);
  }

  #newGroup(priority: number, reserve: Bytes, headroomMax: Bytes): BufferGroup {
    const { alphas } = this.#options;
    const alpha = alphas[Math.min(priority, alphas.length - 1)] ?? 1;
    return { bytes: 0, reserve, headroomMax, headroomUsed: 0, alpha, isPaused: false };
  }

  get peaks(): BufferPeaks {
    return { sharedBytes: this.#usedPeak, headroomBytes: this.#headroomPeak };
  }

  /** Takes a packet into the account of its group; false, and nothing changes, without room. */
  admit(group: BufferGroup, bytes: Bytes): boolean {
    const over = group.bytes + bytes - group.reserve;
    const part = Math.max(0, Math.min(bytes, over));
    if (over <= this.#threshold(group) && this.#used + part <= this.#capacity) {
      group.bytes += bytes;
      this.#used += part;
      if (this.#used > this.#usedPeak) this.#usedPeak = this.#used;
      return true;
    }
    if (group.headroomUsed + bytes > group.headroomMax) return false;
    group.headroomUsed += bytes;
    if (group.headroomUsed > this.#headroomPeak) this.#headroomPeak = group.headroomUsed;
    return true;
  }

  /** Takes a packet out of the account: out of the headroom first, which must be free soon. */
  release(group: BufferGroup, bytes: Bytes): void {
    const fromHeadroom = Math.min(bytes, group.headroomUsed);
    group.headroomUsed -= fromHeadroom;
    const rest = bytes - fromHeadroom;
    this.#used -= Math.min(rest, this.#sharedBy(group));
    group.bytes -= rest;
  }

  /** True if the sender of a group has to be paused now. */
  mustPause(group: BufferGroup): boolean {
    return group.headroomUsed > 0 || this.#sharedBy(group) >= this.#threshold(group);
  }

  /** True if a paused sender may resume. */
  mayResume(group: BufferGroup): boolean {
    if (group.headroomUsed > 0) return false;
    const offset = this.#options.lossless?.resumeOffsetBytes ?? 0;
    const shared = this.#sharedBy(group);
    return shared === 0 || shared + offset <= this.#threshold(group);
  }

  #sharedBy({ bytes, reserve }: BufferGroup): Bytes {
    return Math.max(0, bytes - reserve);
  }

  #threshold({ alpha }: BufferGroup): Bytes {
    return alpha * (this.#capacity - this.#used);
  }
}
