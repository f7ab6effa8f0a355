import { z } from 'zod';
import { InputError } from '../../common/errors';
import type { Random } from '../../common/random/random';
import { payloadBytes, timeUs } from './quantities';
import type { Connection, Message, MessageId } from './connection';
import type { FlowSource } from './merge-by-start';

/** A host that may take part, with the rate of its link. */
export interface Participant {
  readonly name: string;
  readonly rateGbps: number;
}

/** Inputs of a workload's connections, besides its document. */
export interface WorkloadContext {
  /** Number of the workload's first connection in the scenario. */
  readonly first: number;
  /** All hosts of the topology. */
  readonly hosts: readonly Participant[];
  /** The workload's own source of randomness. */
  readonly random: Random;
}

/** One kind of workload: its document, and the connections that the document stands for. */
export interface WorkloadKind<Schema extends z.ZodObject> {
  readonly schema: Schema;
  /** @throws InputError for a document that contradicts itself or the topology. */
  readonly expand: (document: z.output<Schema>, context: WorkloadContext) => Connection[];
  /** The same connections one by one, where the kind can have more of them than memory is for. */
  readonly stream?: WorkloadStream<z.output<Schema>>;
}

/** A workload whose connections are single messages, made when they are due. */
export interface WorkloadStream<Document> {
  /** Expected number of connections. */
  readonly expected: (document: Document, hosts: readonly Participant[]) => number;
  /** @throws InputError as `expand` does. */
  readonly of: (document: Document, context: WorkloadContext) => FlowSource;
}

export const hostName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'must be letters, digits, - or _');
export const bytes = payloadBytes;

/** Fields that every workload has. Every quantity has its unit in its name. */
export const common = {
  name: hostName.describe('Name in results.'),
  startUs: timeUs.default(0).describe('Instant of its begin.'),
};

/** Fields of workloads that are done once or several times, as computations do. */
export const repeated = {
  ...common,
  jitterUs: timeUs
    .default(0)
    .describe("Each connection starts up to so much later, which the run's seed decides."),
  iterations: z
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(1)
    .describe('Number of iterations; each waits until the one before has arrived everywhere.'),
  computeUs: timeUs
    .default(0)
    .describe('Time between an iteration and the next one, in which hosts compute.'),
};

export interface Repetition {
  readonly startUs: number;
  readonly iterations: number;
  readonly computeUs: number;
}

export type Draft = Pick<Message, 'bytes' | 'after'>;

/** The first message of an iteration also waits for the computing time. */
export function inIterations(
  { startUs, iterations, computeUs }: Repetition,
  messagesOf: (iteration: number) => readonly Draft[],
): Message[] {
  return Array.from({ length: iterations }, (_, iteration) =>
    messagesOf(iteration).map((draft, i): Message => ({
      ...draft,
      startUs,
      delayUs: i === 0 && iteration > 0 ? computeUs : 0,
    })),
  ).flat();
}

/** One message per iteration, which waits for the iteration before of all connections. */
export function inStep(
  repetition: Repetition,
  connections: number,
  { first, bytes: each }: { readonly first: number; readonly bytes: number },
): Message[] {
  return inIterations(repetition, (iteration) => {
    const all = Array.from({ length: iteration === 0 ? 0 : connections }, (_, i): MessageId => ({
      connection: first + i,
      message: iteration - 1,
    }));
    return [{ bytes: each, after: all }];
  });
}

/** A connection of one message that waits for nothing. */
export const singleFlow = (
  from: string,
  to: string,
  startUs: number,
  size: number,
): Connection => ({
  from,
  to,
  messages: [{ bytes: size, startUs, after: [], delayUs: 0 }],
});

export function refuseTwice(hosts: readonly string[], name: string): void {
  const twice = hosts.find((host, i) => hosts.indexOf(host) !== i);
  if (twice !== undefined) throw new InputError(`workload ${name}: ${twice} appears twice`);
}

/**
 * The hosts that a workload names, or all of the topology.
 * @throws InputError for an unknown host, one that appears twice, or fewer than `atLeast`.
 */
export function participants(
  named: { readonly name: string; readonly hosts?: readonly string[] | undefined },
  hosts: readonly Participant[],
  atLeast: number,
): readonly Participant[] {
  refuseTwice(named.hosts ?? [], named.name);
  const chosen = named.hosts?.map((host) => {
    const found = hosts.find(({ name }) => name === host);
    if (found !== undefined) return found;
    throw new InputError(`workload ${named.name}: ${host} is no host of the topology`);
  });
  const all = chosen ?? hosts;
  if (all.length >= atLeast) return all;
  throw new InputError(
    `workload ${named.name} needs at least ${atLeast} hosts, found ${all.length}`,
  );
}
