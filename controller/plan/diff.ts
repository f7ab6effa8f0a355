import type { UpdateType } from '../entities/named-entity';
import { contentOf, identityOf } from '../entities/identity';
import type { KeptEntity } from '../entities/identity';

/** One difference between what a switch holds and what it shall hold. */
export interface Change {
  readonly type: UpdateType;
  /** The wanted entity; for a deletion, the present one. */
  readonly entity: KeptEntity;
  /** The present entity that is to be modified. */
  readonly before?: KeptEntity;
}

/** Changes of one stage do not depend on each other; a stage needs those before it. */
export type Stages = readonly (readonly Change[])[];

/**
 * The fewest updates that turn one state into another, in the order in which they depend on each
 * other: entries that are no longer wanted go first and make room; then come members, groups and
 * entries, each after what it refers to; groups and members that nobody refers to any more go last.
 * @param desired in canonical form, each identity once.
 * @param actual what the switch has sent.
 */
export function difference(desired: readonly KeptEntity[], actual: readonly KeptEntity[]): Stages {
  const changes = [...wanted(desired, actual), ...unwanted(desired, actual)];
  return STAGES.map((belongs) => changes.filter(belongs)).filter(({ length }) => length > 0);
}

/** All changes, in order. */
export const changesOf = (stages: Stages): readonly Change[] => stages.flat();

const isEntry = ({ entity }: Change): boolean =>
  entity.kind === 'table-entry' || entity.kind === 'default-entry';
const isGroup = ({ entity }: Change): boolean => entity.kind === 'group';
const isOther = (change: Change): boolean => !isEntry(change) && !isGroup(change);
const removes = ({ type }: Change): boolean => type === 'delete';

const STAGES: readonly ((change: Change) => boolean)[] = [
  (each) => removes(each) && isEntry(each),
  (each) => !removes(each) && isOther(each),
  (each) => !removes(each) && isGroup(each),
  (each) => !removes(each) && isEntry(each),
  (each) => removes(each) && isGroup(each),
  (each) => removes(each) && isOther(each),
];

function* wanted(desired: readonly KeptEntity[], actual: readonly KeptEntity[]): Generator<Change> {
  const held = new Map(actual.map((each) => [identityOf(each), each]));
  for (const entity of desired) {
    const before = held.get(identityOf(entity));
    // A default action is always there in some form.
    if (before === undefined) {
      yield { type: entity.kind === 'default-entry' ? 'modify' : 'insert', entity };
    } else if (contentOf(before) !== contentOf(entity)) {
      yield { type: 'modify', entity: withSizeOf(before, entity), before };
    }
  }
}

function* unwanted(
  desired: readonly KeptEntity[],
  actual: readonly KeptEntity[],
): Generator<Change> {
  const kept = new Set(desired.map(identityOf));
  for (const entity of actual) {
    if (entity.kind !== 'default-entry' && !kept.has(identityOf(entity))) {
      yield { type: 'delete', entity };
    }
  }
}

/** The largest size of a group is that of its insertion for good. */
function withSizeOf(before: KeptEntity, entity: KeptEntity): KeptEntity {
  if (before.kind !== 'group') return entity;
  // Entities of one identity are of one kind.
  const sized = { ...entity, maxSize: before.maxSize };
  return sized;
}
