import { DEFAULT_CSIG_DOMAIN } from '../../common/wire/csig/csig-domain';
import { FEEDBACK_PRESETS } from '../feedback/feedback-plan';
import { asOption } from './refusal';
import { algorithmOf, routeOf } from './configuration';
import type { SettingName, Settings } from './settings';
import { SETTING_NAMES, SETTINGS } from './settings';
import type { Agreement } from './setting';

/** A setting that both ends of a flow need alike, and that they have otherwise. */
export interface SettingDifference {
  readonly setting: SettingName;
  readonly own: string;
  readonly peer: string;
}

/** Values by the names of settings, as hosts tell each other. */
export type ToldSettings = Readonly<Record<string, string>>;

/** When both hosts of a flow on interfaces need the same value of a setting. */
export function agreementOn(name: SettingName): Agreement {
  const { side, agree = side === 'both' ? 'always' : 'never', on } = SETTINGS[name];
  return on.includes('agent') && on.includes('send') ? agree : 'never';
}

/** Settings that hosts on interfaces tell each other, in the order of the table. */
export const TOLD_SETTINGS: readonly SettingName[] = SETTING_NAMES.filter(
  (name) => agreementOn(name) !== 'never',
);

/** The settings of a host that its peers need alike, each with the value that it comes to. */
export function toldSettings(settings: Settings): ToldSettings {
  return Object.fromEntries(TOLD_SETTINGS.map((name) => [name, valueOf(name, settings)]));
}

/** Settings whose value follows from others, or is not to be told. */
const VALUES: Readonly<Partial<Record<SettingName, (settings: Settings) => string>>> = {
  feedback: (settings) => presetOf(settings),
  carrier: ({ carrier = 'int' }) => carrier,
  flowCount: (settings) =>
    settings.flowCount === 'receiver' || algorithmOf(settings).signals.countsFlows === true
      ? 'receiver'
      : 'fixed',
  csigDomain: ({ csigDomain: { windowNs, delayStepNs } = DEFAULT_CSIG_DOMAIN }) =>
    `${windowNs}:${delayStepNs}`,
  keys: ({ keys }) => (keys === undefined ? 'none' : 'given'),
  sourceRouting: ({ sourceRouting }) => (sourceRouting === undefined ? 'none' : 'given'),
};

function valueOf(name: SettingName, settings: Settings): string {
  const value = VALUES[name]?.(settings) ?? settings[name] ?? SETTINGS[name].default;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'usual';
}

/** The name of the way of telemetry, which every way has, however it was given. */
function presetOf(settings: Settings): string {
  const { collectBy, returnBy, algorithmAt } = routeOf(settings);
  const found = Object.entries(FEEDBACK_PRESETS).find(
    ([, way]) =>
      way.collectBy === collectBy && way.returnBy === returnBy && way.algorithmAt === algorithmAt,
  );
  return found?.[0] ?? `${collectBy}-${returnBy}-${algorithmAt}`;
}

/** The settings that a peer has otherwise, of those that matter between two such hosts. */
export function differencesTo(settings: Settings, peer: ToldSettings): SettingDifference[] {
  const own = toldSettings(settings);
  return TOLD_SETTINGS.flatMap((setting) => {
    const [here, there] = [own[setting], peer[setting]];
    const isAlike = here === there || here === undefined || there === undefined;
    return isAlike || !matters(setting, settings, peer)
      ? []
      : [{ setting, own: here, peer: there }];
  });
}

function matters(name: SettingName, settings: Settings, peer: ToldSettings): boolean {
  switch (agreementOn(name)) {
    case 'always':
      return true;
    case 'rocev2':
      return settings.framing === 'rocev2' && peer['framing'] === 'rocev2';
    case 'receiver-computes':
      // What is measured is no setting.
      return peer[name] !== 'auto' && settings[name] !== 'auto' && receiverComputes(settings);
    case 'never':
      return false;
  }
}

/** True if the receiver of a flow makes more of telemetry than an echo. */
const receiverComputes = (settings: Settings): boolean =>
  routeOf(settings).algorithmAt === 'receiver' ||
  settings.links === 'hidden' ||
  valueOf('flowCount', settings) === 'receiver';

/** The differences in one sentence, with what to do about them. */
export function differenceText(differences: readonly SettingDifference[], where: string): string {
  const parts = differences.map(
    ({ setting, own, peer }, i) =>
      `${setting} is ${own} here and ${peer} ${i === 0 ? `at ${where}` : 'there'}`,
  );
  const options = differences.map(({ setting }) => asOption(setting));
  return `${parts.join(', ')}: start both hosts with the same ${options.join(' and ')}`;
}
