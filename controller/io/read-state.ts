import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import type { KeptEntity } from '../entities/identity';
import { defaultTables } from '../plan/manage';
import type { P4RuntimeClient } from '../p4runtime/client';
import type { PipelineParts } from '../p4runtime/requests/pipeline';
import { SwitchError } from '../p4runtime/session/errors';
import type { ReadFilter } from '../p4runtime/requests/read';
import type { ProgramLoad } from '../plan/switch-plan';
import type { LoadedProgram } from './program-files';
import type { PreparedSwitch } from './prepare';

/**
 * Checks that a switch runs the program, by the cookie, or where there is none by the program itself.
 * @returns why it has to be loaded; undefined when it runs.
 */
export async function programMissing(
  client: P4RuntimeClient,
  { name, pipeline }: LoadedProgram,
): Promise<ProgramLoad | undefined> {
  // A program is long, and a mark of it tells as much.
  if ((await runningProgram(client, 'cookie')).cookie === pipeline.cookie) return undefined;
  const { cookie = 0n, p4info, deviceConfig } = await runningProgram(client, 'all');
  if (p4info === undefined) return { program: name, reason: 'the switch has no program' };
  const same =
    cookie === 0n &&
    Buffer.from(deviceConfig ?? []).equals(pipeline.deviceConfig) &&
    Buffer.from(p4info.serialize()).equals(pipeline.p4info.serialize());
  return same ? undefined : { program: name, reason: 'the switch runs another program' };
}

/** Reads the entities of a switch that the controller manages. @throws SwitchError */
export async function readManaged(
  client: P4RuntimeClient,
  { program, management }: PreparedSwitch,
): Promise<readonly KeptEntity[]> {
  const parts = readFilters(program.index).map(async (filters) => {
    const found: KeptEntity[] = [];
    for await (const entity of client.read(...filters)) {
      if (management.manages(entity)) found.push(entity);
    }
    return found;
  });
  return (await Promise.all(parts)).flat();
}

/** Reads in parts, because servers such as bmv2's answer each in one message. */
export function readFilters(index: P4InfoIndex): readonly (readonly ReadFilter[])[] {
  const profiles = index.actionProfiles.all;
  return [
    [{ kind: 'table-entries' } as const],
    // Not every server takes a wildcard for default actions.
    defaultTables(index).map(({ name: table }) => ({ kind: 'default-entries', table }) as const),
    profiles.map(({ name }) => ({ kind: 'members', actionProfile: name }) as const),
    profiles
      .filter(({ withSelector }) => withSelector)
      .map(({ name }) => ({ kind: 'groups', actionProfile: name }) as const),
    [{ kind: 'multicast-groups' } as const],
    [{ kind: 'clone-sessions' } as const],
  ].filter(({ length }) => length > 0);
}

async function runningProgram(
  client: P4RuntimeClient,
  parts: PipelineParts,
): ReturnType<P4RuntimeClient['getPipeline']> {
  try {
    return await client.getPipeline(parts);
  } catch (error) {
    // The specification's way to say that there is none.
    if (error instanceof SwitchError && error.codeName === 'FAILED_PRECONDITION') return {};
    throw error;
  }
}
