import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { NamedEntity } from '../../entities/named-entity';
import type { Connection } from '../session/connection';
import { decodeEntity } from '../entities/entity';
import { encodeFilter } from './read-filter';
import type { ReadFilter } from './read-filter';

export type { ReadFilter } from './read-filter';

/** Who reads: a role sees what it may see, where the switch knows roles. */
export interface ReaderOptions {
  readonly deviceId: bigint;
  readonly role?: string;
}

/**
 * Reads entities one by one, in the order in which the switch sends them.
 * @throws SwitchError when the switch refuses or the connection breaks, InputError for a name that
 * P4Info lacks.
 */
export async function* readEntities(
  connection: Connection,
  { deviceId, role = '' }: ReaderOptions,
  index: P4InfoIndex,
  filters: readonly ReadFilter[],
): AsyncGenerator<NamedEntity> {
  const entities = filters.map((filter) => encodeFilter(index, filter));
  const request = new p4.ReadRequest({ deviceId: String(deviceId), entities, role });
  const deadline = Date.now() + connection.options.deadline;
  let stream: ReturnType<typeof connection.stub.Read> | undefined;
  try {
    stream = connection.stub.Read(request, { deadline });
    for await (const response of stream as AsyncIterable<p4.ReadResponse>) {
      for (const entity of response.entities) yield decodeEntity(index, entity);
    }
  } catch (error) {
    throw connection.failure('read', error);
  } finally {
    // The reader may stop early; then the switch need not send the rest.
    stream?.cancel();
  }
}
