import { readInput } from '../../../../cli/int/read-input';

test.each([
  ['/dev/zero', '/dev/zero: wanted a file, and this is a device'],
  ['/', '/: is a folder: wanted a file'],
  ['none.yaml', /^cannot read none\.yaml: /],
])('attack 16: layers are read from a file, not from %s', (file, reason) => {
  expect(() => readInput(file)).toThrow(reason);
});
