import type { ServerWritableStream } from '@grpc/grpc-js';
import { RpcError } from '../../common/p4runtime/codes';
import type * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { planRead } from './batches';
import type { Answer } from './batches';
import { deviceOf } from './device';
import type { Device, Devices } from './device';
import type { Limits } from './limits/limits';
import { readBatch } from './requests';
import type { PartedRequest } from './turns/repeated-field';
import { handleGetPipelineConfig } from './pipeline-config';
import { PAUSE } from './turns/lazily';

/** A call whose answer can be kept for others who ask the same, where its connection allows that. */
interface Keeping {
  /** @param version of the state that the answer shows. */
  keep?(version: number): void;
}

export type ReadCall = ServerWritableStream<PartedRequest, p4.ReadResponse> & Keeping;

/**
 * Answers a Read as fast as its client takes it, so that an answer of any size needs little memory.
 * A client that leaves ends the work, and so does one that takes nothing for too long.
 * @throws RpcError or BatchError, which is the status of the call.
 */
export async function answerRead(devices: Devices, call: ReadCall): Promise<void> {
  const batch = readBatch(call.request);
  const device = deviceOf(devices, batch.request.deviceId);
  const isGone = (): boolean => call.cancelled;
  await device.reading.serve(async () => {
    if (isGone()) return;
    const { answer, version } = await device.writing.serve(async () => {
      const planned = await device.turns.run(planRead(devices, batch));
      return { answer: planned, version: device.version.now };
    });
    // What changes while it is sent makes it one of an older state.
    if (answer.isLasting) call.keep?.(version);
    await send(device, answer, call);
  }, isGone);
}

async function send({ turns, limits }: Device, answer: Answer, call: ReadCall): Promise<void> {
  for (const response of answer.parts()) {
    if (call.cancelled) return;
    if (response !== PAUSE && !call.write(response)) await drained(call, limits);
    if (turns.isOver) await turns.next();
  }
}

/** On the wire, a call with one answer is one with a stream of answers that ends behind the first. */
export type PipelineConfigCall = ServerWritableStream<
  p4.GetForwardingPipelineConfigRequest,
  Uint8Array
> &
  Keeping;

/**
 * Answers a request for the configuration: as Reads, few at a time, and the next one when a client has taken the last.
 * Each answer is a copy of megabytes, and the engine collects garbage while packets wait when many of them wait for
 * their clients.
 * @throws RpcError, which is the status of the call.
 */
export async function answerPipelineConfig(
  devices: Devices,
  call: PipelineConfigCall,
): Promise<void> {
  const { reading, turns, limits, version } = deviceOf(devices, call.request.deviceId);
  const isGone = (): boolean => call.cancelled;
  await reading.serve(async () => {
    if (turns.isOver) await turns.next();
    if (isGone()) return;
    const taken = drained(call, limits);
    call.keep?.(version.now);
    call.write(handleGetPipelineConfig(devices, call.request), () => call.emit('drain'));
    await taken;
  }, isGone);
}

const MS_PER_SECOND = 1000;

/** Resolves when the client has taken what it was sent, or has left. @throws RpcError */
function drained(call: ReadCall | PipelineConfigCall, limits: Limits): Promise<void> {
  const seconds = limits.of('read-stall-seconds');
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      for (const event of EVENTS) call.off(event, done);
    };
    const done = (): void => {
      leave();
      resolve();
    };
    const timer = setTimeout(() => {
      leave();
      limits.met('read-stall-seconds');
      const reason = `the client has taken nothing for ${seconds} s (limit read-stall-seconds)`;
      reject(new RpcError('DEADLINE_EXCEEDED', reason));
    }, seconds * MS_PER_SECOND);
    timer.unref();
    for (const event of EVENTS) call.on(event, done);
  });
}

const EVENTS = ['drain', 'cancelled', 'close', 'error'] as const;
