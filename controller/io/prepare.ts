import { InputError } from '../../common/errors';
import type { NetworkSpec, SwitchSpec } from '../document/network';
import type { NamedEntity } from '../entities/named-entity';
import { describeEntity } from '../entities/describe';
import { desiredState } from '../intent/desired';
import { lacksOf } from '../intent/lacks';
import type { Lack } from '../intent/lacks';
import type { PortSetting } from '../intent/ports';
import type { QueueSetting } from '../intent/queues';
import { decodeEntity, encodeEntity } from '../p4runtime/entities/entity';
import { identityOf, isKept } from '../entities/identity';
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

/** What a document asks for and its switches will not have. */
export function preparedLacks(
  network: NetworkSpec,
  switches: readonly PreparedSwitch[],
): readonly Lack[] {
  const programs = new Map(switches.map(({ spec, program }) => [spec.node.name, program.index]));
  return lacksOf(network, ({ node }) => {
    const found = programs.get(node.name);
    if (found === undefined) throw new Error(`Internal error: ${node.name} has no program`);
    return found;
  });
}

/** Entities with full names and values as switches return them; the later of two equals wins. */
function canonicalEntities(
  name: string,
  { index }: LoadedProgram,
  entities: readonly NamedEntity[],
): readonly KeptEntity[] {
  const found = new Map<string, KeptEntity>();
  for (const entity of entities) {
    const canonical = canonicalEntity(name, index, entity);
    if (isKept(canonical)) found.set(identityOf(canonical), canonical);
  }
  return [...found.values()];
}

function canonicalEntity(
  name: string,
  index: LoadedProgram['index'],
  entity: NamedEntity,
): NamedEntity {
  try {
    return decodeEntity(index, encodeEntity(index, entity));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`switch ${name}: ${describeEntity(entity)}: ${error.message}`);
  }
}
