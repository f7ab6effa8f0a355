import { InputError } from '../../common/errors';
import { P4InfoIndex } from '../../common/p4runtime/p4info';
import type { Topology } from '../../common/topology/topology';
import { validateTopology } from '../../common/topology/validate-topology';
import type { EntityUpdate, NamedEntity } from '../entities/named-entity';
import { entitiesOf, networkIntent } from '../intent/intent';
import type { SwitchIntent } from '../intent/intent';
import { P4RuntimeClient } from './client';
import { encodeEntity } from './entities/entity';
import { WriteFailedError } from './session/errors';
import type { Pipeline } from './requests/pipeline';

export interface SetUpOptions {
  readonly topology: Topology;
  readonly pipeline: Pipeline;
  /** P4Runtime addresses by switch name; those of the topology unless given. */
  readonly addresses?: ReadonlyMap<string, string>;
  readonly electionId: bigint;
  /** How long to wait for each connection and call, in ms. */
  readonly deadline: number;
  /** Seed of the switches' ECMP seeds. */
  readonly ecmpSeed: number;
}

/** A switch that holds its intent, and the controller that is its primary. */
export interface ConfiguredSwitch {
  readonly intent: SwitchIntent;
  readonly client: P4RuntimeClient;
}

/**
 * Sets up all switches of a network. All of them are reached, taken over and asked about the
 * program before the first one changes, so that one unreachable switch leaves nothing half done.
 * @returns the switches; whoever has them closes their clients.
 * @throws InputError naming every switch that failed, and how.
 */
export async function setUpNetwork(options: SetUpOptions): Promise<readonly ConfiguredSwitch[]> {
  const intents = checkedIntents(options);
  const switches = await connectAll(options, intents);
  try {
    await forAll(switches, ({ client }) => client.becomePrimary());
    await forAll(switches, ({ client }) => client.verifyPipeline(options.pipeline));
    await forAll(switches, ({ client, intent }) => setUpSwitch(client, options.pipeline, intent));
    return switches;
  } catch (error) {
    for (const { client } of switches) client.close();
    throw error;
  }
}

/**
 * Gives a switch its program and its state, in the order in which entities depend on each other.
 * @param client the primary controller of the switch.
 * @throws WriteFailedError listing every update that was refused, SwitchError for other failures.
 */
export async function setUpSwitch(
  client: P4RuntimeClient,
  pipeline: Pipeline,
  intent: SwitchIntent,
): Promise<void> {
  await client.pushPipeline(pipeline);
  // A request ends before the next begins, because a switch may reorder updates within one.
  for (const stage of [intent.members, intent.groups, intent.entries]) {
    const { outcomes, failures } = await client.write(stage.map(firstUpdate));
    if (failures.length > 0) throw new WriteFailedError(client.place, failures, outcomes.length);
  }
}

/** The update that brings an entity into a switch whose state has just been cleared. */
function firstUpdate(entity: NamedEntity): EntityUpdate {
  return { type: entity.kind === 'default-entry' ? 'modify' : 'insert', entity };
}

function checkedIntents(options: SetUpOptions): readonly SwitchIntent[] {
  validateTopology(options.topology);
  const intents = networkIntent(options.topology, options);
  const index = new P4InfoIndex(options.pipeline.p4info);
  for (const intent of intents) {
    for (const entity of entitiesOf(intent)) encodeEntity(index, entity);
  }
  return intents;
}

async function connectAll(
  options: SetUpOptions,
  intents: readonly SwitchIntent[],
): Promise<readonly ConfiguredSwitch[]> {
  const results = await Promise.allSettled(
    intents.map(async (intent) => ({ intent, client: await connect(options, intent) })),
  );
  const switches = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (switches.length === intents.length) return switches;
  for (const { client } of switches) client.close();
  throw combined(results);
}

async function connect(
  { addresses, electionId, deadline }: SetUpOptions,
  intent: SwitchIntent,
): Promise<P4RuntimeClient> {
  const { name, deviceId, grpcAddress } = intent.switch;
  const address = addresses?.get(name) ?? grpcAddress;
  if (address === undefined) throw new InputError(`switch ${name}: no P4Runtime address is known`);
  const device = BigInt(deviceId);
  const options = { name, address, deviceId: device, electionId, deadline };
  const client = await P4RuntimeClient.connect(options);
  try {
    await client.capabilities();
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Does one step at all switches at once, and fails with all their failures together. */
async function forAll(
  switches: readonly ConfiguredSwitch[],
  step: (each: ConfiguredSwitch) => Promise<void>,
): Promise<void> {
  const results = await Promise.allSettled(switches.map(step));
  if (results.some((each) => each.status === 'rejected')) throw combined(results);
}

function combined(results: readonly PromiseSettledResult<unknown>[]): Error {
  const reasons = results.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as unknown] : [],
  );
  const [only] = reasons;
  if (reasons.length === 1 && only instanceof Error) return only;
  const defect = reasons.find((each) => !(each instanceof InputError));
  if (defect instanceof Error) return defect;
  return new InputError(reasons.map((each) => (each as Error).message).join('\n'));
}

export interface ApplyOptions {
  readonly topology: Topology;
  readonly pipeline: Pipeline;
  /** P4Runtime addresses by switch name; those of the topology unless given. */
  readonly addresses?: ReadonlyMap<string, string>;
  /** Defaults to 1: the first controller of a network. */
  readonly electionId?: bigint;
  /** How long to wait for each connection and call, in ms; 5000 unless given. */
  readonly deadline?: number;
  /** Defaults to 0. */
  readonly ecmpSeed?: number;
}

/**
 * Sets up all switches of a topology with a compiled program.
 * @returns the switches; whoever has them closes their clients.
 * @throws InputError for a topology that makes no sense, unreachable switches and refused updates.
 */
export async function applyTopology(options: ApplyOptions): Promise<readonly ConfiguredSwitch[]> {
  return setUpNetwork({ electionId: 1n, deadline: 5000, ecmpSeed: 0, ...options });
}
