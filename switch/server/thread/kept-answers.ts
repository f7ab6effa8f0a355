import { RPC_CODE } from '../../../common/p4runtime/rpc-code';
import type { Limits } from '../limits/limits';
import type { StateVersion } from '../state/state-version';
import type { OpenCall } from './open-call';

/** Longest request whose answer is kept, most bytes of one answer and of all, and most that are under way to clients. */
const REQUEST_BYTES_MAX = 1024;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const KEPT_BYTES_MAX = 8 * 1024 * 1024;
const UNDER_WAY_BYTES_MAX = 8 * 1024 * 1024;
const MS_PER_SECOND = 1000;

/** All messages of an answer that ended well. */
interface Kept {
  readonly version: number;
  readonly messages: readonly Uint8Array[];
  readonly bytes: number;
  /** Bytes of the longest message: as much of it is under way to a client, however slow that is. */
  readonly longest: number;
}

/** An answer that the switch is giving, as far as it has come. */
interface Recording {
  readonly key: string;
  readonly messages: Uint8Array[];
  bytes: number;
  longest: number;
}

/** A call whose answer is kept, and that waits for others to be taken. */
interface Waiting {
  readonly call: OpenCall;
  readonly kept: Kept;
}

/**
 * Answers that hold as long as nothing in the switch changes, in the thread of the connections: whoever asks the same
 * again, however often, takes nothing of the thread that forwards packets. Clients take answers at their own speed; few
 * bytes are under way, and the others wait, as they do in the switch.
 */
export class KeptAnswers {
  /** By request, the one that was asked for longest ago first. */
  readonly #kept = new Map<string, Kept>();
  #keptBytes = 0;
  /** By the number of the call. */
  readonly #recordings = new Map<number, Recording>();
  readonly #recorded = new Set<string>();
  #recordedBytes = 0;
  #underWay = 0;
  readonly #waiting: Waiting[] = [];

  /** @param version of the switches' state, which their thread counts. */
  constructor(
    private readonly version: StateVersion,
    private readonly limits: Limits,
  ) {}

  /**
   * Answers a call if its answer is kept; false if the switch has to. Otherwise that answer is kept when it holds.
   * @param number of the call, as {@link KeptAnswers.note} and {@link KeptAnswers.ended} have it.
   */
  answers(call: OpenCall, number: number, method: string, request: Uint8Array): boolean {
    if (request.length > REQUEST_BYTES_MAX) return false;
    const key = `${method}\0${Buffer.from(request).toString('latin1')}`;
    const kept = this.#find(key);
    if (kept === undefined) {
      if (!this.#recorded.has(key)) this.#record(number, key);
      return false;
    }
    if (this.#hasRoomFor(kept)) void this.#send(call, kept);
    else if (this.#waiting.length < this.limits.of('reads-waiting'))
      this.#waiting.push({ call, kept });
    else return false;
    return true;
  }

  /** A message of the switch's answer to a call. */
  note(number: number, message: Uint8Array): void {
    const recording = this.#recordings.get(number);
    if (recording === undefined) return;
    recording.bytes += message.length;
    recording.longest = Math.max(recording.longest, message.length);
    this.#recordedBytes += message.length;
    const isMuch = recording.bytes > ANSWER_BYTES_MAX || this.#recordedBytes > KEPT_BYTES_MAX;
    if (isMuch) this.#forget(number, recording);
    else recording.messages.push(message);
  }

  /** A call has ended. @param version of the state that its answer shows; undefined where it is not to be kept. */
  ended(number: number, version?: number): void {
    const recording = this.#recordings.get(number);
    if (recording === undefined) return;
    this.#forget(number, recording);
    if (version === undefined || version !== this.version.now) return;
    const { key, messages, bytes, longest } = recording;
    this.#drop(key);
    this.#kept.set(key, { version, messages, bytes, longest });
    this.#keptBytes += bytes + key.length;
    for (const [oldest] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES_MAX) break;
      this.#drop(oldest);
    }
  }

  #find(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    if (kept.version === this.version.now) {
      this.#kept.set(key, kept);
      return kept;
    }
    this.#keptBytes -= kept.bytes + key.length;
    return undefined;
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#keptBytes -= kept.bytes + key.length;
  }

  #record(number: number, key: string): void {
    this.#recordings.set(number, { key, messages: [], bytes: 0, longest: 0 });
    this.#recorded.add(key);
  }

  #forget(number: number, { key, bytes }: Recording): void {
    this.#recordings.delete(number);
    this.#recordedBytes -= bytes;
    this.#recorded.delete(key);
  }

  #hasRoomFor({ longest }: Kept): boolean {
    return this.#underWay === 0 || this.#underWay + longest <= UNDER_WAY_BYTES_MAX;
  }

  async #send(call: OpenCall, { messages, longest }: Kept): Promise<void> {
    this.#underWay += longest;
    const seconds = this.limits.of('read-stall-seconds');
    for (const message of messages) {
      if (call.isGone) break;
      if (await call.taken(message, seconds * MS_PER_SECOND)) continue;
      this.limits.met('read-stall-seconds');
      const details = `the client has taken nothing for ${seconds} s (limit read-stall-seconds)`;
      call.end(undefined, { code: RPC_CODE.DEADLINE_EXCEEDED, details, trailers: [] });
      break;
    }
    if (!call.isGone) call.end(undefined, undefined);
    this.#underWay -= longest;
    this.#goOn();
  }

  #goOn(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || !(next.call.isGone || this.#hasRoomFor(next.kept))) return;
      this.#waiting.shift();
      if (!next.call.isGone) void this.#send(next.call, next.kept);
    }
  }
}
