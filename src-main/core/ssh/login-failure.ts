// Says why a login failed: what was tried, what the server still asks for, what to do.
import type { AppError } from '../../../src-shared/errors.ts';
import { appError } from '../../../src-shared/errors.ts';
import type { LoginOffer, OfferedKey } from './login-keys.ts';
import type { LoginPlan } from './login-plan.ts';
import { cleanLine } from './printable.ts';
import type { Where } from './where.ts';
import { hostAndPort, whereDetails } from './where.ts';

const METHOD_WORDS: Readonly<Record<string, string>> = {
  publickey: 'a key',
  password: 'a password',
  'keyboard-interactive': 'an answer to a question (keyboard-interactive)',
  'gssapi-with-mic': 'Kerberos',
  hostbased: 'a host key',
};

/** Nothing is left to try. */
export function loginFailure(where: Where, plan: LoginPlan, offer: LoginOffer): AppError {
  const { methods } = plan;
  const missing = methods.filter((method) => !plan.refused.some((step) => step.method === method));
  if (plan.accepted.length > 0) return oneOfSeveral(where, plan, missing.length > 0 ? missing : methods);
  const password = plan.refused.some(({ method }) => method !== 'publickey');
  const keys = plan.refused.flatMap((step) => (step.method === 'publickey' ? [step.key] : []));
  if (!password && keys.length === 0) return noMethod(where, methods, offer);
  const what = [...(keys.length > 0 ? [keyWords(keys)] : []), ...(password ? ['the password'] : [])].join(' and ');
  const notes = offer.notes.length > 0 ? ` (${offer.notes.join('; ')})` : '';
  return appError('AUTHENTICATION_FAILED', {
    message: `${hostAndPort(where)} refused ${what} for the user ${where.username}${notes}`,
    hint: password
      ? 'Check the username and the password.'
      : 'Check the username, and that the public half of the key is in authorized_keys on the host.',
    details: {
      reason: password ? 'wrong_password' : 'key_refused',
      ...whereDetails(where),
      username: where.username,
      methods,
      ...(keys.length > 0 ? { keys: keys.map(({ key }) => key.fingerprint) } : {}),
    },
  });
}

/** The server hung up during the login, mostly because it counted too many tries. */
export function loginEnded(where: Where, plan: LoginPlan, text: string): AppError {
  const tries = plan.answered + 1;
  const said = text === '' ? '' : `: ${cleanLine(text)}`;
  const tooMany = /too many/i.test(text);
  return appError('AUTHENTICATION_FAILED', {
    message: `${hostAndPort(where)} ended the login of ${where.username} after ${tries} ${tries === 1 ? 'try' : 'tries'}${said}`,
    hint: tooMany
      ? 'The server counts each key as a try: name the right key with keyFile instead of offering all of the agent.'
      : 'Check username and credentials, and look at the server’s log.',
    details: {
      reason: tooMany ? 'too_many_tries' : 'login_ended',
      ...whereDetails(where),
      username: where.username,
      tries,
    },
  });
}

/** The server asks something that no stored secret answers. */
export function questionUnanswered(where: Where, question: string): AppError {
  return appError('AUTHENTICATION_FAILED', {
    message: `${hostAndPort(where)} asks ${where.username} a question that cannot be answered here: "${cleanLine(question)}"`,
    hint: 'Log in with a key or the agent, if this host allows it without the question.',
    details: {
      reason: 'question_unanswered',
      ...whereDetails(where),
      username: where.username,
      question: cleanLine(question),
    },
  });
}

/** The password is right but has to be changed first. */
export function passwordExpired(where: Where): AppError {
  return appError('AUTHENTICATION_FAILED', {
    message: `The password of ${where.username} on ${hostAndPort(where)} has expired and has to be changed`,
    hint: 'The person logs in once with another program and sets a new password.',
    details: { reason: 'password_expired', ...whereDetails(where), username: where.username },
  });
}

function oneOfSeveral(where: Where, plan: LoginPlan, missing: readonly string[]): AppError {
  const given = plan.accepted.map(({ method }) => (method === 'publickey' ? 'the key' : 'the password')).join(' and ');
  const refused = plan.refused.some(({ method }) => missing.includes(method) || plan.methods.includes(method));
  return appError('AUTHENTICATION_FAILED', {
    message: `${hostAndPort(where)} accepted ${given} of ${where.username}, but ${refused ? 'refused' : 'also asks for'} ${words(missing)}`,
    hint: `This host wants more than one proof: give ${words(missing)} as well.`,
    details: { reason: 'method_missing', ...whereDetails(where), username: where.username, methods: missing },
  });
}

function noMethod(where: Where, methods: readonly string[], offer: LoginOffer): AppError {
  const given = [...(offer.keys.length > 0 ? ['a key'] : []), ...(offer.password === undefined ? [] : ['a password'])];
  return appError('AUTHENTICATION_FAILED', {
    message: `${hostAndPort(where)} lets ${where.username} log in only with ${words(methods)}; given was ${given.join(' and ')}`,
    hint: `Give ${words(methods)}.`,
    details: { reason: 'method_missing', ...whereDetails(where), username: where.username, methods },
  });
}

function words(methods: readonly string[]): string {
  return methods.map((method) => METHOD_WORDS[method] ?? method).join(' or ') || 'nothing that it names';
}

function keyWords(keys: readonly OfferedKey[]): string {
  const files = keys.flatMap((offered) => (offered.from === 'file' ? [offered.key.file] : []));
  const agent = keys.length - files.length;
  return [
    ...(files.length > 0 ? [`the key ${files.join(', ')}`] : []),
    ...(agent > 0 ? [`${agent} ${agent === 1 ? 'key' : 'keys'} of the agent`] : []),
  ].join(' and ');
}
