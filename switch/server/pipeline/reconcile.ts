import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { hasOnlyInitialEntries } from '../state/running-pipeline';
import type { RunningPipeline } from '../state/running-pipeline';
import { withoutPauses } from '../turns/lazily';
import { applyUpdate, readEntity } from '../entities/entities';

const { DELETE, INSERT, MODIFY } = p4.UpdateType;

/**
 * The updates that make the state of a running program again, in an order in which nothing is
 * missing when it is referred to. State that is as it was at the start is left out.
 */
export function captureState(running: RunningPipeline): p4.Update[] {
  const read = (filter: EntityFields): p4.Entity[] =>
    withoutPauses(readEntity(running, new p4.Entity(filter)));
  return [
    ...as(MODIFY, read({ valueSetEntry: new p4.ValueSetEntry({}) })),
    ...as(INSERT, read({ digestEntry: new p4.DigestEntry({}) })),
    ...as(MODIFY, read({ counterEntry: new p4.CounterEntry({}) }).filter(counts)),
    ...as(MODIFY, read({ registerEntry: new p4.RegisterEntry({}) }).filter(isWritten)),
    ...as(MODIFY, read({ meterEntry: new p4.MeterEntry({}) }).filter(isConfigured)),
    ...as(INSERT, read({ actionProfileMember: new p4.ActionProfileMember({}) })),
    ...as(INSERT, read({ actionProfileGroup: new p4.ActionProfileGroup({}) })),
    ...tableUpdates(running),
    ...as(INSERT, readReplication(read)),
  ];
}

/** Applies captured state. @throws RpcError INVALID_ARGUMENT naming what cannot be kept. */
export function replayState(running: RunningPipeline, updates: readonly p4.Update[]): void {
  for (const { type, entity } of [...updates, ...deletions(running, updates)]) {
    try {
      if (entity.hasTableEntry) replayEntry(running, type, entity);
      else applyUpdate(running, type, entity);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const reason = `the state cannot be kept: ${error.message}`;
      throw new RpcError('INVALID_ARGUMENT', reason);
    }
  }
}

type EntityFields = Exclude<
  ConstructorParameters<typeof p4.Entity>[0],
  readonly unknown[] | undefined
>;

function as(type: p4.UpdateType, entities: readonly p4.Entity[]): p4.Update[] {
  return entities.map((entity) => new p4.Update({ type, entity }));
}

function counts({ counterEntry: { data } }: p4.Entity): boolean {
  return data.packetCount !== '0' || data.byteCount !== '0';
}

function isWritten({ registerEntry: { data } }: p4.Entity): boolean {
  const bytes = data.hasEnumValue ? data.enumValue : data.bitstring;
  return data.hasBool ? data.bool : bytes.some((byte) => byte !== 0);
}

function isConfigured({ meterEntry }: p4.Entity): boolean {
  return meterEntry.hasConfig;
}

/** Entries that the program fixes come with the program; what belongs to them is kept. */
function tableUpdates(running: RunningPipeline): p4.Update[] {
  const tableEntry = new p4.TableEntry({
    counterData: new p4.CounterData({}),
    meterConfig: new p4.MeterConfig({}),
  });
  const entries = withoutPauses(readEntity(running, new p4.Entity({ tableEntry }))).map(
    (entity) => {
      const fixed = entity.tableEntry.isConst;
      return new p4.Update({ type: fixed ? MODIFY : INSERT, entity });
    },
  );
  const defaults = running.info.tables.all
    .filter(({ name }) => running.defaults.has(name))
    .flatMap(({ id: tableId }) => {
      const filter = new p4.TableEntry({ tableId, isDefaultAction: true });
      return withoutPauses(readEntity(running, new p4.Entity({ tableEntry: filter })));
    });
  return [...entries, ...as(MODIFY, defaults)];
}

/** An entry that the new program declares too is there already; then it is modified. */
function replayEntry(running: RunningPipeline, type: p4.UpdateType, entity: p4.Entity): void {
  const written = p4.TableEntry.deserialize(entity.tableEntry.serialize());
  if (written.isConst) {
    written.isConst = false;
    if (!written.hasCounterData && !written.hasMeterConfig) return;
    const { tableId, match, priority } = written;
    const kept = new p4.TableEntry({ tableId, match, priority });
    if (written.hasCounterData) kept.counterData = written.counterData;
    if (written.hasMeterConfig) kept.meterConfig = written.meterConfig;
    applyUpdate(running, MODIFY, new p4.Entity({ tableEntry: kept }));
    return;
  }
  const update = new p4.Entity({ tableEntry: written });
  try {
    applyUpdate(running, type, update);
  } catch (error) {
    if (!(error instanceof RpcError) || error.codeName !== 'ALREADY_EXISTS') throw error;
    applyUpdate(running, MODIFY, update);
  }
}

/** Updates that delete the initial entries that a controller had deleted. */
function deletions(running: RunningPipeline, updates: readonly p4.Update[]): p4.Update[] {
  const known = new Set(
    updates.flatMap(({ entity }) => (entity.hasTableEntry ? keyText(entity.tableEntry) : [])),
  );
  return running.info.tables.all.filter(hasOnlyInitialEntries).flatMap(({ id: tableId }) => {
    const tableEntry = new p4.TableEntry({ tableId });
    const present = withoutPauses(readEntity(running, new p4.Entity({ tableEntry })));
    return as(
      DELETE,
      present.filter((entity) => !known.has(keyText(entity.tableEntry))),
    );
  });
}

function keyText({ tableId, match, priority }: p4.TableEntry): string {
  const key = new p4.TableEntry({ tableId, match, priority });
  return Buffer.from(key.serialize()).toString('hex');
}

function readReplication(read: (filter: EntityFields) => p4.Entity[]): p4.Entity[] {
  const wildcard = (
    fields: ConstructorParameters<typeof p4.PacketReplicationEngineEntry>[0],
  ): p4.Entity[] =>
    read({ packetReplicationEngineEntry: new p4.PacketReplicationEngineEntry(fields) });
  return [
    ...wildcard({ multicastGroupEntry: new p4.MulticastGroupEntry({}) }),
    ...wildcard({ cloneSessionEntry: new p4.CloneSessionEntry({}) }),
  ];
}
