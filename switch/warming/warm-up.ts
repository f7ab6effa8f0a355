import type { Instant, PortNumber } from '../../common/units/units';
import { microseconds } from '../../common/units/units';
import type { Packet } from '../../common/packet/packet';
import type { PipelineControl } from '../control/table-control';
import type { V1ModelSwitch } from '../v1model/v1model-switch';
import type { SwitchOutput } from '../v1model/options';
import { copyEntries } from './copy-entries';
import { sampleFrames } from './sample-frames';

/** After so many the time per frame is that of a switch that has run for long. */
const FRAMES = 20_000;
/** What the machine may take for them. */
const BUDGET_MS = 700;
/** Longer than a frame takes at any rate, so that queues are empty mostly. */
const GAP = microseconds(1000);

export interface WarmUpSetting {
  /** What the switch that shall be warm has loaded. */
  readonly json: string;
  readonly pipeline: PipelineControl;
  /** Ports that frames come in at. */
  readonly ports: readonly PortNumber[];
  /**
   * How many other switches frames go through: code that was compiled for one switch only is thrown
   * away with the first packet of another, and code for several is slower than that.
   */
  readonly copies: number;
  /** Makes a switch of the same kind. */
  readonly createDevice: (output: SwitchOutput) => V1ModelSwitch;
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

/** A switch in virtual time that sends to nobody. */
class Copy implements SwitchOutput {
  readonly copiesPackets = true;
  readonly lendsPackets = true;
  /** Frames that have left. */
  sent = 0;
  readonly #device: V1ModelSwitch;
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

  schedulePort(port: PortNumber, at: Instant): void {
    this.#due.push({ port, at });
  }
}
