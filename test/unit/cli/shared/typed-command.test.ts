import { execFileSync } from 'node:child_process';
import { typedCommand } from '../../../../cli/shared/typed-command';

test('a command on a page is the one that was typed, and a shell reads it as it was meant', () => {
  const given = ['compare', 'a b.yaml', '--algorithms', "./it's.mjs,hpccpp", '--out', 'out/beside'];
  const command = typedCommand(given);
  expect(command).toMatch(/^\.\/hpcc compare 'a b\.yaml' --algorithms .* --out out\/beside$/);
  const words = command.replace('./hpcc ', '');
  const read = execFileSync('sh', ['-c', `for word in ${words}; do echo "$word"; done`]);
  expect(read.toString().split('\n').slice(0, -1)).toEqual(given);
});
