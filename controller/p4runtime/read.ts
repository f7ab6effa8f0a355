import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { unreachable } from '../../common/assert';
import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import type { NamedEntity } from '../intent/entities';
import type { Connection } from './connection';
import { decodeEntity } from './entity';

/** What to read; without a name, from all tables or profiles. */
export type ReadFilter =
  | { readonly kind: 'table-entries'; readonly table?: string }
  | { readonly kind: 'default-entries'; readonly table?: string }
  | { readonly kind: 'members'; readonly actionProfile?: string }
  | { readonly kind: 'groups'; readonly actionProfile?: string };

/**
 * Reads entities one by one, in the order in which the switch sends them.
 * @throws SwitchError when the switch refuses or the connection breaks, InputError for a name that
 * P4Info lacks.
 */
export async function* readEntities(
  connection: Connection,
  deviceId: bigint,
  index: P4InfoIndex,
  filters: readonly ReadFilter[],
): AsyncGenerator<NamedEntity> {
  const request = new p4.ReadRequest({
    deviceId: String(deviceId),
    entities: filters.map((filter) => encodeFilter(index, filter)),
  });
  const deadline = Date.now() + connection.options.deadline;
  const stream = connection.stub.Read(request, { deadline });
  try {
    for await (const response of stream as AsyncIterable<p4.ReadResponse>) {
      for (const entity of response.entities) yield decodeEntity(index, entity);
    }
  } catch (error) {
    throw connection.failure('read', error);
  } finally {
    // The reader may stop early; then the switch need not send the rest.
    stream.cancel();
  }
}

function encodeFilter(index: P4InfoIndex, filter: ReadFilter): p4.Entity {
  switch (filter.kind) {
    case 'table-entries':
    case 'default-entries': {
      const tableId = filter.table === undefined ? 0 : index.tables.get(filter.table).id;
      const isDefaultAction = filter.kind === 'default-entries';
      return new p4.Entity({ tableEntry: new p4.TableEntry({ tableId, isDefaultAction }) });
    }
    case 'members': {
      const actionProfileMember = new p4.ActionProfileMember({
        actionProfileId: profileId(index, filter.actionProfile),
      });
      return new p4.Entity({ actionProfileMember });
    }
    case 'groups': {
      const actionProfileGroup = new p4.ActionProfileGroup({
        actionProfileId: profileId(index, filter.actionProfile),
      });
      return new p4.Entity({ actionProfileGroup });
    }
    default:
      return unreachable(filter);
  }
}

function profileId(index: P4InfoIndex, name: string | undefined): number {
  return name === undefined ? 0 : index.actionProfiles.get(name).id;
}
