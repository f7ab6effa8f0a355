import type { EntityUpdate } from '../entities/named-entity';
import { describeUpdate } from '../entities/describe';
import type { PortChange } from '../intent/ports';
import type { QueueSetting } from '../intent/queues';
import { describeChange, describePort, describeQueue } from './describe-plan';
import { changesOf } from './diff';
import type { Change } from './diff';
import { tally } from './switch-plan';
import type { SwitchPlan, Tally } from './switch-plan';

/** An update and why it is not there. */
export interface Refusal {
  readonly update: EntityUpdate;
  readonly codeName: string;
  readonly reason: string;
}

/** Outcome of an apply at one switch. */
export interface SwitchOutcome {
  readonly switch: string;
  readonly status:
    /** It holds everything. */
    | 'done'
    /** Something of it is missing. */
    | 'incomplete'
    /** Nothing was sent. */
    | 'untouched';
  readonly programLoaded: boolean;
  /** Updates that the switch has confirmed. */
  readonly done: readonly Change[];
  readonly refused: readonly Refusal[];
  readonly queuesSet: readonly QueueSetting[];
  readonly portsSet: readonly PortChange[];
  /** Error that ended the work early, if one did. */
  readonly error?: string;
  /** Changes that a read after the failure found to be missing; absent when the switch could not be read. */
  readonly missing?: SwitchPlan;
}

/** The outcomes as JSON, for files and programs. */
export function reportJson(network: string, outcomes: readonly SwitchOutcome[]): object {
  return {
    network,
    complete: outcomes.every(({ status }) => status === 'done'),
    switches: outcomes.map((each) => ({
      switch: each.switch,
      status: each.status,
      programLoaded: each.programLoaded,
      updates: changeTally(each.done),
      done: each.done.map(({ type, entity }) => ({ type, entity })),
      refused: each.refused,
      queuesSet: each.queuesSet,
      portsSet: each.portsSet,
      ...(each.error !== undefined && { error: each.error }),
      ...(each.missing !== undefined && {
        missing: {
          ...(each.missing.load !== undefined && { load: each.missing.load }),
          updates: changesOf(each.missing.stages).map(({ type, entity }) => ({ type, entity })),
          queues: each.missing.queues,
          ports: each.missing.ports,
        },
      }),
    })),
  };
}

/** The outcomes for people: what is there and what is not, switch by switch. */
export function reportText(outcomes: readonly SwitchOutcome[]): string {
  return outcomes.map((each) => switchText(each).join('\n')).join('\n');
}

function switchText(outcome: SwitchOutcome): readonly string[] {
  const { insert, modify, delete: removed } = changeTally(outcome.done);
  const loaded = outcome.programLoaded ? 'program loaded, ' : '';
  const sum = `${loaded}${insert} inserted, ${modify} modified, ${removed} deleted`;
  return [
    `${outcome.switch}: ${outcome.status}: ${sum}`,
    ...(outcome.error === undefined ? [] : [`  ! ${outcome.error}`]),
    ...outcome.refused.map(
      ({ update, codeName, reason }) =>
        `  refused: ${describeUpdate(update)}: ${codeName}: ${reason}`,
    ),
    ...missingText(outcome),
  ];
}

function missingText({ status, missing }: SwitchOutcome): readonly string[] {
  if (status !== 'incomplete') return [];
  if (missing === undefined) return ['  what it holds now could not be read'];
  return [
    ...(missing.load === undefined ? [] : [`  missing: ! program ${missing.load.program}`]),
    ...changesOf(missing.stages).map((each) => `  missing: ${describeChange(each)}`),
    ...missing.ports.map((each) => `  missing: ~ ${describePort(each)}`),
    ...missing.queues.map((each) => `  missing: = ${describeQueue(each)}`),
  ];
}

const changeTally = (changes: readonly Change[]): Tally => tally([changes]);
