import * as fs from 'node:fs';
import { COMMANDS_PAGE, allCommands, commandsPage, optionsOf } from './commands-page';

describe('the page of commands', () => {
  test('says what the command line says; otherwise npm run api writes it again', () => {
    expect(commandsPage()).toBe(fs.readFileSync(COMMANDS_PAGE, 'utf8'));
  });

  test('has every option of every command, here or among the settings of hosts', () => {
    const page = fs.readFileSync(COMMANDS_PAGE, 'utf8');
    const missing = allCommands().flatMap(({ command }) => {
      const { own, settings } = optionsOf(command);
      return [...own, ...settings].filter(({ long }) => !page.includes(long ?? ''));
    });
    expect(missing).toEqual([]);
    const bare = allCommands().flatMap(({ name, command }) =>
      optionsOf(command)
        .own.filter(({ description }) => description === '')
        .map(({ long }) => `${name} ${long}`),
    );
    expect(bare).toEqual([]);
  });
});
