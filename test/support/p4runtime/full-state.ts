import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { RawController } from './raw-controller';

/** Filters that together let all state of a device through. */
const EVERYTHING: readonly p4.Entity[] = [
  new p4.Entity({
    tableEntry: new p4.TableEntry({
      counterData: new p4.CounterData({}),
      meterConfig: new p4.MeterConfig({}),
    }),
  }),
  new p4.Entity({ tableEntry: new p4.TableEntry({ isDefaultAction: true }) }),
  new p4.Entity({ actionProfileMember: new p4.ActionProfileMember({}) }),
  new p4.Entity({ actionProfileGroup: new p4.ActionProfileGroup({}) }),
  new p4.Entity({ counterEntry: new p4.CounterEntry({}) }),
  new p4.Entity({ meterEntry: new p4.MeterEntry({}) }),
  new p4.Entity({ registerEntry: new p4.RegisterEntry({}) }),
  new p4.Entity({ valueSetEntry: new p4.ValueSetEntry({}) }),
  new p4.Entity({ digestEntry: new p4.DigestEntry({}) }),
  replication({ multicastGroupEntry: new p4.MulticastGroupEntry({}) }),
  replication({ cloneSessionEntry: new p4.CloneSessionEntry({}) }),
];

/** All state of a device as text, one line per entity. */
export async function fullState(controller: RawController): Promise<readonly string[]> {
  const { responses, status } = await controller.read([...EVERYTHING]);
  if (status.code !== 'OK') throw new Error(`reading all state: ${status.message}`);
  return stateLines(responses);
}

/** A read of all state. */
export const readEverything = (deviceId: bigint): p4.ReadRequest =>
  new p4.ReadRequest({ deviceId: String(deviceId), entities: [...EVERYTHING] });

/** The answer to it as text. */
export function stateLines(responses: readonly p4.ReadResponse[]): readonly string[] {
  return responses.flatMap(({ entities }) => entities.map((each) => lineOf(each)));
}

function lineOf(entity: p4.Entity): string {
  return `${entity.entity} ${Buffer.from(entity.serialize()).toString('hex')}`;
}

function replication(
  fields: ConstructorParameters<typeof p4.PacketReplicationEngineEntry>[0],
): p4.Entity {
  const packetReplicationEngineEntry = new p4.PacketReplicationEngineEntry(fields);
  return new p4.Entity({ packetReplicationEngineEntry });
}
