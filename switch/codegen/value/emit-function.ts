import { Identifier, code, joined } from '../text/code';
import { Writer } from '../text/writer';
import { argumentsOf } from './value';
import type { Scope } from './scope';
import type { Value } from './value';

/** Members of a packet that code uses under their own names. */
const VIEWS = ['words', 'numbers', 'bigints', 'valid', 'counts', 'widths', 'bytes'];

/**
 * A function of the packet, and of further values where there are `parameters`. The body comes
 * first, so that the function begins with those members of the packet that it uses.
 */
export function emitFunction(
  name: Identifier,
  outer: Scope,
  parameters: readonly Value[],
  body: (scope: Scope) => void,
): void {
  const writer = new Writer();
  body(outer.nested(writer, parameters));
  const views = VIEWS.filter((view) => writer.mentions(view));
  const list = joined([code`packet`, ...parameters.map(argumentsOf)], ', ');
  outer.writer.block(code`function ${name}(${list})`, () => {
    if (views.length > 0) {
      const names = joined(
        views.map((view) => code`${new Identifier(view)}`),
        ', ',
      );
      outer.writer.line(code`const { ${names} } = packet;`);
    }
    outer.writer.append(writer);
  });
  outer.writer.blank();
}
