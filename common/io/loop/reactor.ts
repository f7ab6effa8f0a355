import { PS_PER_NS } from '../../units/units';
import { givePacketsTurnsBy } from '../packets-first';
import { IdleCollection } from './idle-collection';
import { optimiseFromNow } from './optimising';
import { takeShortSlices } from './thread-priority';
import { UvPoll } from './uv-poll';
import { WaitSet } from './wait-set';

/** Longest time that servers and timers of the process wait for their turn, in milliseconds. */
const TURN_MS = 1;
/** A process is quiet when nothing has come for so long, in milliseconds. */
const QUIET_MS = 5000;
const NS_PER_MS = 1_000_000;
/** Shortest sleep after a round, in ns: long enough for other processes to get the processor. */
const NAP_MIN_NS = 10_000;

/** A member of the reactor: one switch, or one host. */
interface Member {
  isReady: boolean;
  readonly hasMore: boolean;
  readonly isGathering: boolean;
  /** In picoseconds, as what {@link Member.untilDue} answers. */
  readonly gather: number;
  untilDue(): number;
  run(): void;
}

const hasTurn = (member: Member): boolean =>
  member.isReady || member.hasMore || member.isGathering || member.untilDue() <= 0;

/**
 * Shares the main thread among all switches and hosts of the process. One poll of one descriptor
 * shows which of them have packets; one sleep waits for all. Where packets come fast, the thread
 * sleeps for the rest of the gathering time, which began with the round, and then handles the
 * packets of all; where they do not, libuv wakes it for each. So ten switches in a process cost one
 * wake-up where ten processes cost ten.
 */
export class Reactor {
  static #shared: Reactor | undefined;
  readonly #members: (Member | undefined)[] = [];
  #count = 0;
  #set: WaitSet | undefined;
  #poll: UvPoll | undefined;
  #queued: NodeJS.Immediate | undefined;
  #isInTurn = false;
  /** The only member, whose packets are found without asking the kernel whose they are. */
  #only: Member | undefined;
  /** End of the last round, in milliseconds of the process's clock. */
  #servedAt = 0;
  /** When the process will be quiet, unless something comes before; Infinity since it is. */
  #quietAt = Infinity;
  /** True if packets or wake-ups have come since `#quietAt` was set. */
  #isBusy = false;
  readonly #collection: Pick<IdleCollection, 'look' | 'wish'> | undefined;
  readonly #quietMs: number;

  constructor(
    collection: Pick<IdleCollection, 'look' | 'wish'> | undefined = IdleCollection.ofProcess(),
    quietMs = QUIET_MS,
  ) {
    this.#collection = collection;
    this.#quietMs = quietMs;
  }

  /** The reactor of this process. */
  static shared(): Reactor {
    return (Reactor.#shared ??= new Reactor());
  }

  /** @returns the member's token. @throws InputError when the process has no descriptors left. */
  enter(member: Member): number {
    if (this.#set === undefined) this.#open();
    this.#count++;
    const free = this.#members.indexOf(undefined);
    const token = free < 0 ? this.#members.length : free;
    this.#members[token] = member;
    this.#findOnly();
    return token;
  }

  #open(): void {
    const set = new WaitSet();
    try {
      this.#poll = new UvPoll(set.fd, () => this.#wake());
    } catch (error) {
      set.close();
      throw error;
    }
    this.#set = set;
    givePacketsTurnsBy(() => this.#pass());
    takeShortSlices();
  }

  leave(token: number): void {
    this.#members[token] = undefined;
    this.#count--;
    this.#findOnly();
    if (this.#count > 0) return;
    if (this.#queued !== undefined) clearImmediate(this.#queued);
    this.#queued = undefined;
    givePacketsTurnsBy(undefined);
    const set = this.#set;
    this.#poll?.close(() => set?.close());
    this.#set = this.#poll = undefined;
    this.#quietAt = Infinity;
  }

  #findOnly(): void {
    this.#only = this.#count === 1 ? this.#members.find((each) => each !== undefined) : undefined;
  }

  /** A socket without descriptor, as a file has none, is nothing to wait for. */
  watch(fd: number, token: number): void {
    if (fd >= 0) this.#set?.add(fd, token);
  }

  unwatch(fd: number): void {
    if (fd >= 0) this.#set?.remove(fd);
  }

  /** Everybody who is ready gets a round when those that wait already had their turn. */
  queueTurn(): void {
    this.#isBusy = true;
    if (this.#isInTurn) return;
    this.#queued ??= setImmediate(() => this.#turn(performance.now()));
  }

  /** Much memory is needed no more: garbage is collected now if all is quiet, or as soon as it is. */
  collectWhenQuiet(): void {
    this.#collection?.wish();
    const isQuiet = this.#quietAt === Infinity && !this.#isBusy;
    if (isQuiet) this.#collection?.look();
  }

  /**
   * PERF: a process that wakes for one packet pays for every page that it touches: memory of a machine that has slept
   * is cold. So the only member looks into its sockets itself.
   */
  #wake(): void {
    const now = performance.now();
    if (this.#only !== undefined) {
      this.#only.isReady = true;
      if (this.#set?.isTimeUp(now) === false) this.#packetsCame();
    }
    if (this.#queued === undefined) this.#turn(now);
  }

  #packetsCame(): void {
    this.#isBusy = true;
    optimiseFromNow();
  }

  /**
   * A round in the middle of other work, unless the last one has only just been. Sleeping and waiting are left to
   * the next turn.
   */
  #pass(): void {
    const set = this.#set;
    if (this.#isInTurn || set === undefined) return;
    if (performance.now() - this.#servedAt < TURN_MS) return;
    // Clients leave garbage, too, which is seen to when all is quiet.
    if (this.#quietAt === Infinity) this.queueTurn();
    this.#look(set);
    this.#servedAt = performance.now();
    if (!this.#members.some((member) => member !== undefined && hasTurn(member))) return;
    this.#isInTurn = true;
    try {
      this.#runAll();
    } finally {
      this.#isInTurn = false;
      this.#servedAt = performance.now();
    }
    if (this.#count > 0) this.queueTurn();
  }

  #turn(beganAt: number): void {
    this.#queued = undefined;
    this.#isInTurn = true;
    let isOver = false;
    let now = beganAt;
    try {
      for (; !isOver && now < beganAt + TURN_MS; now = performance.now()) isOver = this.#round(now);
    } finally {
      this.#isInTurn = false;
      this.#servedAt = now;
    }
    if (!isOver && this.#count > 0) this.queueTurn();
  }

  /** One round for all who have something to do; true when everybody waits for packets. */
  #round(beganAt: number): boolean {
    const set = this.#set;
    if (set === undefined) return true;
    if (this.#only === undefined) this.#look(set);
    this.#lookAround(beganAt);
    this.#runAll();
    let gatherPs = Infinity;
    let waitPs = Infinity;
    let someHaveMore = false;
    for (const member of this.#members) {
      if (member === undefined) continue;
      if (member.hasMore || member.isReady) someHaveMore = true;
      if (member.isGathering) gatherPs = Math.min(gatherPs, member.gather);
      else waitPs = Math.min(waitPs, member.untilDue());
    }
    if (someHaveMore || waitPs <= 0) return false;
    if (gatherPs < Infinity) {
      if (set.isTimeUp(beganAt)) set.setTimer(Infinity, beganAt);
      const gatheredNs = (performance.now() - beganAt) * NS_PER_MS;
      const leftNs = Math.max(NAP_MIN_NS, gatherPs / PS_PER_NS - gatheredNs);
      set.nap(Math.min(leftNs, waitPs / PS_PER_NS));
      return false;
    }
    if (this.#count === 0) return true;
    const quietNs = (this.#quietAt - beganAt) * NS_PER_MS;
    set.setTimer(Math.min(waitPs / PS_PER_NS, quietNs), beganAt);
    return true;
  }

  /** Finds out whose packets have come. */
  #look(set: WaitSet): void {
    set.look((token) => {
      const member = this.#members[token];
      if (member === undefined) return;
      member.isReady = true;
      this.#packetsCame();
    });
  }

  /**
   * There and back again: packets on their way through several members of this process get as far as
   * they can, in either direction, instead of one member per gathering.
   */
  #runAll(): void {
    const members = this.#members;
    const last = members.length - 1;
    for (let i = 0; i <= last; i++) {
      const member = members[i];
      if (member !== undefined && hasTurn(member)) member.run();
    }
    for (let i = last - 1; i >= 0; i--) {
      const member = members[i];
      if (member?.isGathering === true) member.run();
    }
  }

  /** Polls all members once more when nothing has come for some time. Then only packets wake the process. */
  #lookAround(now: number): void {
    if (this.#isBusy) this.#quietAt = now + this.#quietMs;
    this.#isBusy = false;
    if (now < this.#quietAt) return;
    this.#quietAt = Infinity;
    this.#collection?.look();
    for (const member of this.#members) if (member !== undefined) member.isReady = true;
  }
}
