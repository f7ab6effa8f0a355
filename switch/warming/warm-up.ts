import type { Instant, InstantCell, PortNumber } from '../../common/units/units';
import { microseconds } from '../../common/units/units';
import type { Packet } from '../../common/packet/packet';
import type { ActionCall, PipelineControl, TableControl } from '../control/table-control';
import type { V1ModelDevice } from '../v1model/v1model-device';
import type { SwitchOutput } from '../v1model/options';
import { sampleFrames } from './sample-frames';

/**
 * Frames after which simple machine code is there and knows what it meets, at a tenth of the processor time that the
 * optimised code would take, which a switch without traffic never needs. `bench cold-switch` shows no difference.
 */
const FRAMES = 100;
/** Longest time that the warm-up may take. */
const BUDGET_MS = 700;
/** Longer than a frame takes at any rate, so that queues are empty mostly. */
const GAP = microseconds(1000);

export interface WarmUpSetting {
  /** Program of the switch to be warmed up, as BMv2 JSON. */
  readonly json: string;
  readonly pipeline: PipelineControl;
  /** Ports that frames come in at. */
  readonly ports: readonly PortNumber[];
  /**
   * Number of other switches that frames go through: code that was compiled for one switch only is
   * thrown away with the first packet of another, and code for several is slower than that.
   */
  readonly copies: number;
  /** Makes a switch of the same kind. */
  readonly createDevice: (output: SwitchOutput) => V1ModelDevice;
  /** In milliseconds. */
  readonly clock: () => number;
}

/**
 * Has the code compiled that handles packets, by frames through other switches with the same program and
 * entries; of what those do nothing is left. Without it, a switch that has just begun handles its first
 * thousands of packets ten times as slowly as later ones. Yields after each frame, so that the switch
 * itself goes on.
 * @returns how many frames they have forwarded.
 */
export function* warmUp(setting: WarmUpSetting): Generator<undefined, number> {
  const { json, pipeline, ports, createDevice, clock } = setting;
  const endsAt = clock() + BUDGET_MS;
  const copies: Copy[] = [];
  for (let i = 0; i < setting.copies; i++) {
    const copy = new Copy(json, createDevice);
    copy.fill(pipeline);
    copies.push(copy);
    yield;
  }
  const frames = sampleFrames(pipeline).map((bytes) => ({ bytes, length: bytes.length }));
  for (let i = 0; i < FRAMES && clock() <= endsAt; i++) {
    const frame = frames[i % frames.length];
    if (frame === undefined) break;
    const copy = copies[Math.floor(i / frames.length) % copies.length];
    copy?.send(ports[i % ports.length] ?? 0, frame);
    yield;
  }
  return copies.reduce((sum, { sent }) => sum + sent, 0);
}

/** A switch in virtual time whose packets go nowhere. */
class Copy implements SwitchOutput {
  readonly copiesPackets = true;
  readonly lendsPackets = true;
  /** Frames that have left. */
  sent = 0;
  readonly #device: V1ModelDevice;
  readonly #due: { readonly port: PortNumber; readonly at: Instant }[] = [];
  #now: Instant = 0;

  constructor(json: string, createDevice: WarmUpSetting['createDevice']) {
    this.#device = createDevice(this);
    this.#device.loadProgram(json);
  }

  fill(pipeline: PipelineControl): void {
    if (this.#device.pipeline !== undefined) copyEntries(pipeline, this.#device.pipeline);
  }

  send(port: PortNumber, packet: Packet): void {
    this.#now += GAP;
    for (const { port: free, at } of this.#due.splice(0)) this.#device.handlePortFree(free, at);
    this.#device.handlePacket(this.#now, port, packet);
  }

  transmit(): void {
    this.sent++;
  }

  schedulePort(port: PortNumber, at: InstantCell): void {
    this.#due.push({ port, at: at[0] as number });
  }
}

/** Entries of a table that are copied: more of them take time and no other ways through the program. */
const ENTRIES_MAX = 200;

/** Gives a program's state the entries, members and groups of another state of the same program. */
export function copyEntries(from: PipelineControl, to: PipelineControl): void {
  for (const [name, profile] of from.actionProfiles) {
    const copy = to.actionProfiles.get(name);
    for (const { memberId, call } of profile.members()) copy?.insertMember(memberId, call);
    for (const { groupId, members, maxSize } of profile.groups()) {
      copy?.insertGroup(groupId, members, maxSize);
    }
  }
  for (const [name, table] of from.tables) {
    const copy = to.tables.get(name);
    if (copy !== undefined) copyTable(table, copy);
  }
}

function copyTable(from: TableControl, to: TableControl): void {
  if (!from.isFixed) {
    if (to.isFixed) to.openForWrites(from.size);
    to.clear();
    let copied = 0;
    for (const entry of from.entries()) {
      if (copied++ === ENTRIES_MAX) break;
      to.insert(entry);
    }
  }
  copyDefault(from, to);
}

/** A constant default action is there already, as is that of a table which nobody has written to. */
function copyDefault(from: TableControl, to: TableControl): void {
  if (from.defaultMember !== undefined) to.setDefaultMember(from.defaultMember);
  else if (from.defaultAction !== undefined && !isSameCall(from.defaultAction, to.defaultAction)) {
    to.setDefault(from.defaultAction);
  }
}

const isSameCall = (one: ActionCall, other: ActionCall | undefined): boolean =>
  one.actionId === other?.actionId &&
  one.arguments.every((value, i) => value === other.arguments[i]);
