/** The calls of a service by name. They answer at once, or with a promise. */
export type ServiceCalls = Readonly<Record<string, (...parameters: never[]) => unknown>>;

type Answer = (error: unknown, result?: unknown) => void;

/**
 * Calls in the form that generated processors take: with an answer function behind the parameters.
 * Processors look at the number of declared parameters, which is always 0 here: then they pass the
 * answer function, unless the call has no parameters, and then they take what it returns.
 * @param changed called before each answer, as the call may have changed something.
 */
export function asHandler(calls: ServiceCalls, changed: () => void): object {
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      (...given: unknown[]): unknown => {
        const answer = given.at(-1);
        // A promise also carries what the call throws.
        if (typeof answer !== 'function')
          return new Promise((resolve) => resolve(call())).finally(changed);
        const told: Answer = (...outcome) => {
          changed();
          (answer as Answer)(...outcome);
        };
        answerWith(told, () => call(...(complete(name, given) as never[])));
        return undefined;
      },
    ]),
  );
}

/** The parameters: what a message leaves out is null or undefined. @throws Error */
function complete(name: string, given: readonly unknown[]): readonly unknown[] {
  const parameters = given.slice(0, -1);
  const missing = parameters.findIndex((each) => each === null || each === undefined);
  if (missing < 0) return parameters;
  throw new Error(
    `${name} wants ${parameters.length} parameters, and has no parameter ${missing + 1}`,
  );
}

function answerWith(answer: Answer, call: () => unknown): void {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    answer(error);
    return;
  }
  if (!(result instanceof Promise)) answer(null, result);
  else result.then((value: unknown) => answer(null, value), answer);
}
