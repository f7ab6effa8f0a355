import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../../../../common/io/repository';
import { configurationOf } from '../../../../host-agent/settings/configuration';
import { EFFORT, SEED } from '../../../support/effort';
import type { Asked, Ends } from '../../../../host-agent/settings/asked';
import { wordsAt } from '../../../../host-agent/settings/idle';
import { asKey, asOption, refusalOf } from '../../../../host-agent/settings/refusal';
import { optionOf } from '../../../../host-agent/settings/setting';
import { PLACES } from '../../../../host-agent/settings/setting';
import type { Place } from '../../../../host-agent/settings/setting';
import { FEEDBACK_PRESETS } from '../../../../host-agent/feedback/feedback-plan';
import { SETTING_NAMES, SETTINGS, settingsOn } from '../../../../host-agent/settings/settings';
import type { SettingName, Settings } from '../../../../host-agent/settings/settings';

/** A value of the setting that asks for something. */
function asking(name: SettingName): Settings[SettingName] {
  const { value, default: usual, idle = usual } = SETTINGS[name];
  if (value.kind === 'choice') return value.choices.find((choice) => choice !== idle);
  if (value.kind === 'number') return value.max === usual ? value.min : value.max;
  const others = { text: 'x', flag: true, soon: 1, ports: [80], constants: { gamma: 0.5 } };
  return value.kind === 'csig' ? { windowNs: 1024, delayStepNs: 64 } : others[value.kind];
}

const given = (...names: readonly SettingName[]): Settings =>
  Object.fromEntries(names.map((name) => [name, asking(name)]));

/** Where the code is that reads settings by their names, by what takes them. */
const READERS: Readonly<Record<Place, readonly string[]>> = {
  scenario: ['emulator/simulation', 'emulator/network', 'emulator/scenario/carrier-needs.ts'],
  agent: ['host-agent/io', 'cli/commands/agent.ts', 'common/io/log.ts'],
  send: ['host-agent/io', 'common/io/log.ts'],
};
const SHARED = ['host-agent/settings/configuration.ts', 'cli/shared/setting-options.ts'];

function textOf(place: string): string {
  const full = path.join(repositoryRoot(), place);
  if (fs.statSync(full).isFile()) return fs.readFileSync(full, 'utf8');
  return fs
    .readdirSync(full, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => fs.readFileSync(path.join(full, file), 'utf8'))
    .join('\n');
}

const code = Object.fromEntries(
  PLACES.map((place) => [place, [...READERS[place], ...SHARED].map(textOf).join('\n')]),
) as Readonly<Record<Place, string>>;

describe.each(PLACES)('settings of %s', (place) => {
  test.each(settingsOn(place))('%s acts', (name) => {
    if (SETTINGS[name].target === undefined) {
      expect(code[place]).toMatch(new RegExp(`\\b${name}\\b`));
      return;
    }
    const needs = SETTINGS[name].needs as SettingName | undefined;
    const others = needs === undefined ? {} : given(needs);
    const own = configurationOf({ ...others, ...given(name) });
    expect(own).not.toEqual(configurationOf(others));
  });
});

/** Commands of hosts, by what they do with flows. */
const COMMANDS: Readonly<Record<string, Ends>> = {
  send: { starts: true, answers: false },
  agent: { starts: false, answers: true },
  'agent --send': { starts: true, answers: true },
};
const LOOPS = Object.keys(FEEDBACK_PRESETS) as (keyof typeof FEEDBACK_PRESETS)[];

/** Everything that two settings can be asked as: on each command, in each loop, and of a scenario. */
function waysToAsk(settings: Settings): Asked[] {
  const { feedback: _, collect: __, return: ___, controlAt: ____, ...others } = settings;
  const ways = LOOPS.map((loop) => ({ settings: others, route: FEEDBACK_PRESETS[loop] }));
  const does = Object.values(COMMANDS);
  const interfaced = ways.map((way) => ({
    ...way,
    settings: { interface: 'eth0', ...way.settings },
  }));
  const switches = { answer: false, answerReceivers: false, measureSojourn: false };
  return [
    { settings, route: FEEDBACK_PRESETS.ack },
    ...ways.map((way) => ({ ...way, switches })),
    ...interfaced.flatMap((way) => does.map((each) => ({ ...way, does: each }))),
  ];
}

describe('pairs of settings', () => {
  const all = SETTING_NAMES.flatMap((one) =>
    SETTING_NAMES.filter((other) => other > one).map((other) => [one, other] as const),
  );
  /** One in so many, with all ways to ask for each. */
  const oneIn = Math.max(1, Math.round(8 / EFFORT));
  const pairs = all.filter((_, i) => i % oneIn === SEED % oneIn);

  test('are refused in sentences without gaps, alike on command lines and in documents', () => {
    let refused = 0;
    for (const [one, other] of pairs) {
      for (const asked of waysToAsk(given(one, other))) {
        const [option, key] = [refusalOf(asked, asOption), refusalOf(asked, asKey)];
        expect(option ?? '').not.toMatch(/[{}]|undefined/);
        expect(option === undefined).toBe(key === undefined);
        if (option !== undefined) refused++;
      }
    }
    expect(refused).toBeGreaterThan(10_000 / oneIn);
  });
});

describe('settings of the algorithm', () => {
  const CONTROL = [
    'listing',
    'maxStage',
    'targetUtilization',
    'expectedFlows',
    'waiBytes',
    'algorithm',
    'plausibility',
  ] as const;
  const valueOf = (name: SettingName): Settings =>
    name === 'algorithm' ? { algorithm: 'powertcp' } : given(name);
  const refusal = (name: SettingName, command: string, loop: (typeof LOOPS)[number]) =>
    refusalOf(
      {
        settings: { interface: 'eth0', ...valueOf(name) },
        route: FEEDBACK_PRESETS[loop],
        does: COMMANDS[command],
      },
      asOption,
    );

  test.each(CONTROL)('are taken where it runs, and refused where it does not: %s', (name) => {
    for (const loop of ['receiver', 'receiver-probe'] as const) {
      expect(refusal(name, 'send', loop)).toBe(
        `${optionOf(name)} is about the algorithm, which runs at the receiver of the flow: it belongs there`,
      );
      expect(refusal(name, 'agent', loop)).toBeUndefined();
      expect(refusal(name, 'agent --send', loop)).toBeUndefined();
    }
    for (const loop of ['ack', 'notification', 'probe'] as const) {
      expect(refusal(name, 'send', loop)).toBeUndefined();
      expect(refusal(name, 'agent --send', loop)).toBeUndefined();
      if (name === 'algorithm') continue;
      expect(refusal(name, 'agent', loop)).toBe(
        `${optionOf(name)} is about the algorithm, which runs at the sender of the flow: it belongs there`,
      );
    }
  });

  test('that is read belong to the other end', () => {
    const asked = (command: string, operation: 'read' | 'write') =>
      refusalOf(
        {
          settings: { interface: 'eth0', framing: 'rocev2', operation, maxStage: 0 },
          route: FEEDBACK_PRESETS.ack,
          does: COMMANDS[command],
        },
        asOption,
      );
    expect(asked('send', 'write')).toBeUndefined();
    expect(asked('send', 'read')).toMatch(/^--max-stage is about the algorithm/);
  });
});

test.each([
  [
    'ackEvery',
    'send',
    '--ack-every is about flows that are received: it belongs to their receiver',
  ],
  ['bytes', 'agent', '--bytes is about flows that are sent: it needs --send'],
  ['rtoMs', 'agent', '--rto-ms is about flows that are sent: it needs --send'],
  ['parallel', 'agent', '--parallel is about flows that are sent: it needs --send'],
] as const)('%s of hpcc %s: %s', (name, command, sentence) => {
  const asked = { settings: given(name), route: FEEDBACK_PRESETS.ack, does: COMMANDS[command] };
  expect(refusalOf(asked, asOption)).toBe(sentence);
});

test('options of both hosts are divided by where they have an effect', () => {
  const words = [
    '--max-stage',
    '0',
    '--ack-every',
    '4',
    '--switches-choose',
    '-n',
    '5M',
    '--checksum',
  ];
  const at = (command: string, ...more: string[]): string =>
    wordsAt([...words, ...more], COMMANDS[command] as Ends).join(' ');
  expect(at('send')).toBe('--max-stage 0 --switches-choose -n 5M --checksum');
  expect(at('agent')).toBe('--ack-every 4 --switches-choose --checksum');
  expect(at('agent', '--keys', 'k', '--fastest-link-bps', '1G')).toMatch(/ --keys k$/);
  // One that goes takes those along that need it.
  expect(at('agent', '--plausibility', 'on', '--rto-ms', '200')).toBe(at('agent'));
  expect(at('send', '--feedback', 'receiver')).toBe(
    '--switches-choose -n 5M --checksum --feedback receiver',
  );
});

test.each(SETTING_NAMES.filter((name) => SETTINGS[name].needs !== undefined))(
  '%s needs what its row says',
  (name) => {
    const needs = SETTINGS[name].needs as SettingName;
    const { framing } = SETTINGS[name];
    const besides = framing === undefined ? {} : { framing };
    const asked = { settings: { ...given(name), ...besides }, route: FEEDBACK_PRESETS.ack };
    expect(SETTING_NAMES).toContain(needs);
    expect(refusalOf(asked, asKey)).toMatch(/needs/);
    for (const place of SETTINGS[name].on) expect(SETTINGS[needs].on).toContain(place);
  },
);

test('no name of a setting is an old name of another one that a command takes beside it', () => {
  for (const place of PLACES) {
    const names: string[] = settingsOn(place);
    const old = settingsOn(place).flatMap((name) =>
      (SETTINGS[name].was ?? []).filter(({ isKeyOnly }) => isKeyOnly !== true),
    );
    expect(old.filter(({ name }) => names.includes(name))).toEqual([]);
  }
});
