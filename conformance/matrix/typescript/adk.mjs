// Writes every field that events of ADK TypeScript have, and copies sessions, through the client of this project.
//
//   adk.mjs write SESSION
//   adk.mjs copy FROM TO
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { AgentSessionService } from '../../../clients/typescript/dist/index.js';

const client = new URL('../../../clients/typescript/package.json', import.meta.url);
const installed = createRequire(client); // with what its tests have installed
const { createEvent } = installed('@google/adk');
const place = { appName: 'matrix', userId: 'u' };
const BASE64 = '+/++Pj8h';
const start = 1767225600123.456;
const credential = { authType: 'oauth2', oauth2: { clientId: 'c', clientSecret: 's', expiresAt: 7 } };
const GIVEN = {
  data: BASE64, sdkBlob: BASE64, thoughtSignature: BASE64, mimeType: 'image/png', lastConsumedClientMessageIndex: '7',
  startOffset: '1.5s', endOffset: '2.5s', timeLeft: '2.5s', duration: '2.5s',
  requestedAuthConfigs: {
    some_key: {
      authScheme: { type: 'apiKey', in: 'header', name: 'n' },
      rawAuthCredential: credential, exchangedAuthCredential: credential, credentialKey: 'k',
    },
  },
};
// Of a part only one of these may be set; the others stand beside a text.
const KINDS = [
  'text', 'inlineData', 'fileData', 'functionCall', 'functionResponse', 'executableCode', 'codeExecutionResult', 'toolCall',
  'toolResponse',
];

/** One event for each field of ADK's type, and one for each field of the parts. */
function events() {
  const { id, author, invocationId, timestamp, partial, content, ...fields } = sampleOf('Event');
  const [part] = content.parts;
  const parts = Object.entries(part).map(([name, value]) => (KINDS.includes(name) ? { [name]: value } : { text: 't', [name]: value }));
  return [
    ...parts.map((each) => ({ content: { role: 'model', parts: [each] } })),
    ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
  ].map((each, number) => createEvent({
    author: 'agent', invocationId: 'i-1', id: `e-${number}`, timestamp: start + number * 1000, ...each,
  }));
}

/** An object with all fields that a type of ADK declares. */
function sampleOf(name) {
  const ts = installed('typescript');
  const file = fileURLToPath(new URL('src/index.ts', client));
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, skipLibCheck: true, strict: true };
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const statement = source.statements.find((each) => ts.isImportDeclaration(each) && each.moduleSpecifier.text === '@google/adk');
  const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
  const symbol = checker.getExportsOfModule(module).find((each) => each.name === name);
  const sample = (type, field, within) => {
    if (field in GIVEN) return GIVEN[field];
    if (type.isUnion()) {
      const kinds = type.types.filter((each) => !(each.flags & ts.TypeFlags.Undefined) && !/UNSPECIFIED/.test(each.value));
      return sample(kinds[0], field, within);
    }
    if (type.isLiteral()) return type.value;
    if (type.flags & ts.TypeFlags.StringLike) return field;
    if (type.flags & ts.TypeFlags.NumberLike) return 7;
    if (type.flags & ts.TypeFlags.BooleanLike) return true;
    if (checker.isArrayType(type)) {
      const one = sample(checker.getTypeArguments(type)[0], field, within);
      const alternatives = within.at(-1)?.symbol.name === 'FunctionResponse';
      if (!alternatives) return [one];
      const { fileData, inlineData, ...others } = one; // ADK Rust keeps no order between images and files
      return [{ inlineData }, { fileData }, others];
    }
    const values = type.getStringIndexType();
    if (values) return { some_key: sample(values, field, within) };
    if (!(type.flags & ts.TypeFlags.Object)) return { some_key: [1, null, 'x'] };
    if (within.includes(type)) return undefined;
    const fields = type.getProperties().filter((each) => !each.name.startsWith('__@')).map((each) => (
      [each.name, sample(checker.getTypeOfSymbol(each), each.name, [...within, type])]));
    return Object.fromEntries(fields);
  };
  return sample(checker.getDeclaredTypeOfSymbol(symbol), '', []);
}

async function append(session, all) {
  for (const event of all) await service.appendEvent({ session, event });
}

const service = new AgentSessionService();
const [command, first, second] = process.argv.slice(2);
if (command === 'write') {
  await append(await service.createSession({ ...place, sessionId: first }), events());
} else {
  const { events: read } = await service.getSession({ ...place, sessionId: first });
  await append(await service.createSession({ ...place, sessionId: second }), read);
}
