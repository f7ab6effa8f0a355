import { algorithmNamed, isCustomAlgorithm } from '../algorithm/library/algorithms';
import { SIGNALS_OF_HOPS } from '../algorithm/signals';
import { isLive, isPlausible, isRemote, isRoce } from './asked';
import type { Asked, Ends } from './asked';
import { routeOf } from './configuration';
import { optionOf } from './setting';
import { isActive, SETTING_NAMES, SETTINGS } from './settings';
import type { SettingName } from './settings';
import { settingsIn } from './words';

/** Returns the refusal of a setting that has no effect at the ends of flows at which the host is. */
export function idleRefusal(asked: Asked): string | undefined {
  if (asked.settings.tcp === true) return undefined;
  const idle = SETTING_NAMES.find((name) => isActive(name, asked.settings) && isIdle(name, asked));
  return idle && IDLE[sideOf(idle, asked)](idle, asked);
}

/**
 * True if a setting has no effect at the ends of flows at which the host is. Data of a flow that is read is
 * sent by the host that did not start it.
 */
function isIdle(name: SettingName, asked: Asked): boolean {
  const { does, route, settings } = asked;
  if (does === undefined) return false;
  const { starts, answers } = does;
  const reads = settings.operation === 'read';
  const sendsData = (starts && !reads) || (answers && isRoce(asked));
  const receivesData = answers || (starts && reads);
  switch (sideOf(name, asked)) {
    case 'starter':
      return !starts;
    case 'sender':
      // Requests to read are sent too.
      return !sendsData && !starts;
    case 'receiver':
      return !receivesData;
    case 'control':
      return route.algorithmAt === 'receiver' ? !receivesData : !sendsData;
    case 'both':
    case 'each':
    case 'network':
      return false;
  }
}

type Side = (typeof SETTINGS)[SettingName]['side'];

const isOfRemote = (asked: Asked, side: Side): Side => (isRemote(asked) ? 'both' : side);

/** Sides of settings that depend on others, where they are not that of the row. */
const SIDES: Readonly<Partial<Record<SettingName, (asked: Asked, side: Side) => Side>>> = {
  algorithm: (asked, side) => {
    // Its signals are in the packets of both hosts.
    const { telemetry, samplesPerWindow, countsFlows } = asked.signals ?? SIGNALS_OF_HOPS;
    const isPlain = telemetry === 'hops' && samplesPerWindow === undefined && countsFlows !== true;
    return isPlain && isRemote(asked) ? side : 'both';
  },
  // Its lines are of all flows of the host.
  trace: () => 'each',
  send: () => 'each',
  queueCapacityBytes: (asked, side) => (isLive(asked) ? 'control' : side),
  fastestLinkBps: (asked, side) => (isLive(asked) ? 'control' : side),
  // Plausibility allows for as much.
  rtoMs: (asked, side) => (isPlausible(asked) ? 'each' : side),
  // An algorithm at the receiver goes by them too.
  collectEvery: isOfRemote,
  switchResponses: isOfRemote,
  answerKeys: isOfRemote,
  coordination: isOfRemote,
  ackEvery: (asked, side) => (isRoce(asked) ? 'sender' : side),
};

function sideOf(name: SettingName, asked: Asked): Side {
  const { side } = SETTINGS[name];
  return SIDES[name]?.(asked, side) ?? side;
}

const WITH_SEND = (name: SettingName): string =>
  `{${name}} is about flows that are sent: it needs {send}`;
const NOT_HERE = (name: SettingName): string => `{${name}} has no effect here`;

/** Sentences about settings that have no effect, by their side. */
const IDLE: Readonly<Record<Side, (name: SettingName, asked: Asked) => string>> = {
  starter: WITH_SEND,
  sender: WITH_SEND,
  receiver: (name) => `{${name}} is about flows that are received: it belongs to their receiver`,
  control: (name, asked) =>
    isRemote(asked)
      ? `{${name}} is about the algorithm, which runs at the receiver of the flow: it belongs there`
      : `{${name}} is about the algorithm, which runs at the sender of the flow: it belongs there`,
  both: NOT_HERE,
  each: NOT_HERE,
  network: NOT_HERE,
};

/**
 * The words of a command line without the options that have no effect on a host that does so with flows: for
 * commands of several hosts that are made from the options of all.
 */
export function wordsAt(words: readonly string[], does: Ends): string[] {
  // The interface comes with the host, and makes it one.
  const settings = { interface: '', ...settingsIn(words) };
  const { algorithm = 'hpccpp' } = settings;
  const signals = isCustomAlgorithm(algorithm) ? undefined : algorithmNamed(algorithm).signals;
  const asked = { settings, route: routeOf(settings), signals, does };
  const isTaken = words.map(() => true);
  for (const name of SETTING_NAMES) {
    if (!isIdle(name, asked)) continue;
    const option = [optionOf(name), SETTINGS[name].short];
    words.forEach((word, i) => {
      if (!option.includes(word)) return;
      isTaken[i] = false;
      if (hasValue(name, words[i + 1])) isTaken[i + 1] = false;
    });
  }
  const taken = words.filter((_, i) => isTaken[i]);
  // What an option that goes was needed for may have no effect without it.
  return taken.length === words.length ? taken : wordsAt(taken, does);
}

/** True if the word behind an option is its value. */
function hasValue(name: SettingName, next: string | undefined): boolean {
  const { value } = SETTINGS[name];
  if (value.kind === 'flag' || next === undefined) return false;
  return value.kind !== 'choice' || value.bare === undefined || value.choices.includes(next);
}
