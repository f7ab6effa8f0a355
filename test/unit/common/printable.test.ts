import { printable } from '../../../common/printable';
import { note, print } from '../../../common/io/terminal';

const ATTACK = 'name\u001b]0;title\u0007\u009b31m\r\u202e';

test('attack 13: escape sequences reach no terminal', () => {
  expect(printable(ATTACK)).toBe('name\\x1b]0;title\\x07\\x9b31m\\x0d\\u202e');
  expect(printable('a\tb\nc µ é 漢')).toBe('a\tb\nc µ é 漢');
  const written: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0),
  );
  print(ATTACK);
  note(ATTACK);
  for (const spy of spies) spy.mockRestore();
  expect(written.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u009b\u202e]/);
});
