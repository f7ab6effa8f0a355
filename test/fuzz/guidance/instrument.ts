import Module from 'node:module';
import * as path from 'node:path';
import { transformSync, types } from '@babel/core';
import { compareHooks } from '@jazzer.js/instrumentor/dist/plugins/compareHooks';
import { makeCoverageVisitor } from '@jazzer.js/instrumentor/dist/plugins/coverageVisitor';
import type { Reach } from './reach';

/** Where there is nothing to find: counting there would only take time. */
const UNGUIDED = /\/node_modules\/|\/generated\/|\/test\/(?!fuzz\/planted)/;

/** Names that the instrumented code calls. */
interface Instrumented {
  Fuzzer?: { readonly tracer: Reach['tracer'] };
  hits?: Uint8Array;
}

type Compile = (this: Module, content: string, file: string) => unknown;

/**
 * Everything below `folder` that is loaded from now on counts its branches and tells what it compares:
 * the instrumentation of Jazzer.js. Its other half, a library of the machine, is not used: what it
 * brings along needs a newer C library than Debian 12 has.
 */
export function instrument(folder: string, reach: Reach): void {
  Object.assign(globalThis, {
    Fuzzer: { tracer: reach.tracer },
    hits: reach.hits,
  } satisfies Instrumented);
  const prototype = Module.prototype as unknown as { _compile: Compile };
  const { _compile: compile } = prototype;
  prototype._compile = function (content, file) {
    const isGuided = file.startsWith(folder + path.sep) && !UNGUIDED.test(file);
    return compile.call(this, isGuided ? counting(content, file, reach) : content, file);
  };
}

function counting(content: string, file: string, reach: Reach): string {
  const count = (): types.Expression =>
    types.updateExpression(
      '++',
      types.memberExpression(
        types.identifier('hits'),
        types.numericLiteral(reach.newBranch()),
        true,
      ),
    );
  const visitor = (): { visitor: ReturnType<typeof makeCoverageVisitor> } => ({
    visitor: makeCoverageVisitor(count),
  });
  const plugins = [visitor, compareHooks];
  const options = { filename: file, plugins, configFile: false, babelrc: false, compact: false };
  return transformSync(content, options)?.code ?? content;
}
