import { preparedCases } from '../../../support/mininet-fixture';

/** Command lines of this project in all cases of an experiment. */
function commandsOf(name: string, separate: boolean): string[] {
  const plans = preparedCases(name, { separate }).map(({ plan }) => plan);
  const argvs = plans.flatMap(({ groups, setup, switches, services }) => [
    ...groups.map(({ argv }) => argv),
    ...setup.map(({ process }) => process.argv),
    ...(separate ? [...switches.map(({ process }) => process.argv)] : []),
    ...(separate ? services.map(({ argv }) => argv) : []),
  ]);
  return argvs.filter(([first]) => first === 'node').map((argv) => argv.join(' '));
}

describe.each([true, false])('with processes that are separate: %s', (separate) => {
  test("beside the kernel's TCP, garbage is collected in short pauses", () => {
    const commands = commandsOf('tcp', separate);
    expect(commands.length).toBeGreaterThan(3);
    for (const each of commands) expect(each).toMatch(/^node --max-semi-space-size=1 main\.js /);
  });

  test('hosts of our own have few pauses', () => {
    const commands = commandsOf('incast', separate);
    expect(commands.length).toBeGreaterThan(1);
    for (const each of commands) expect(each).toMatch(/^node main\.js /);
  });
});
