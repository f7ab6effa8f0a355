import { InputError } from '../../common/errors';
import type { NetworkSpec, SwitchSpec } from '../document/network';
import { describePlace } from '../entities/describe';
import { desiredState } from '../intent/desired';
import { unsupportedParts } from '../intent/unsupported';
import type { Unsupported } from '../intent/unsupported';
import type { PortSetting } from '../intent/ports';
import type { QueueSetting } from '../intent/queues';
import { canonicalEntity } from '../p4runtime/entities/entity';
import { identityOf } from '../entities/identity';
import type { KeptEntity } from '../entities/identity';
import { management } from '../plan/manage';
import type { Management } from '../plan/manage';
import type { LoadedProgram, ProgramFiles } from './program-files';

/** A switch with everything that is known of it before it is asked. */
export interface PreparedSwitch {
  readonly spec: SwitchSpec;
  readonly program: LoadedProgram;
  readonly management: Management;
  readonly queues: readonly QueueSetting[];
  /** Set where the document gives a gNMI address. */
  readonly ports: readonly PortSetting[];
}

/**
 * Derives what every switch shall hold, and checks all of it against the programs, so that nothing
 * is sent of a document that is wrong anywhere.
 * @throws InputError naming switch and entity.
 */
export async function prepareNetwork(
  network: NetworkSpec,
  programs: Pick<ProgramFiles, 'load'>,
): Promise<readonly PreparedSwitch[]> {
  const loaded = new Map<SwitchSpec, LoadedProgram>();
  for (const spec of network.switches) loaded.set(spec, await programs.load(spec.program));
  const programOf = (spec: SwitchSpec): LoadedProgram => {
    const program = loaded.get(spec);
    if (program === undefined) throw new Error(`Internal error: ${spec.node.name} has no program`);
    return program;
  };
  return desiredState(network, (spec) => programOf(spec).index).map(
    ({ spec, entities, queues, ports }) => {
      const program = programOf(spec);
      const desired = canonicalEntities(spec.node.name, program, entities);
      const { unmanagedTables } = spec.document;
      return {
        spec,
        program,
        management: management(desired, program.index, unmanagedTables),
        queues,
        ports,
      };
    },
  );
}

/** Lists what a document asks for and its switches do not support. */
export function unsupportedIn(
  network: NetworkSpec,
  switches: readonly PreparedSwitch[],
): readonly Unsupported[] {
  const programs = new Map(switches.map(({ spec, program }) => [spec.node.name, program.index]));
  return unsupportedParts(network, ({ node }) => {
    const found = programs.get(node.name);
    if (found === undefined) throw new Error(`Internal error: ${node.name} has no program`);
    return found;
  });
}

/** Entities with full names and values as switches return them; the later of two equals wins. */
function canonicalEntities(
  name: string,
  { index }: LoadedProgram,
  entities: readonly KeptEntity[],
): readonly KeptEntity[] {
  const found = new Map<string, KeptEntity>();
  for (const entity of entities) {
    try {
      const canonical = canonicalEntity(index, entity);
      found.set(identityOf(canonical), canonical);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(`switch ${name}: ${describePlace(entity)}: ${error.message}`);
    }
  }
  return [...found.values()];
}
