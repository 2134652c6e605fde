import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from './process.ts';

/** The files of a certificate, its key, and the authority that has signed it. */
export interface Certificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const NAMES = ['ca.pem', 'cert.pem', 'key.pem'] as const;

/** The files of the certificates that this process has made, by the names in them: each takes three programs. */
const made = new Map<string, readonly Buffer[]>();

/** Puts a certificate for these names, such as `DNS:shop.example` or `IP:127.0.0.1`, into a folder. */
export function makeCertificate(folder: string, names: readonly string[]): Certificate {
  const id = names.join();
  const files = made.get(id) ?? newFiles(id);
  made.set(id, files);
  const [ca, cert, key] = NAMES.map((name, index) => {
    const path = join(folder, name);
    writeFileSync(path, files[index] as Buffer, { mode: name === 'key.pem' ? 0o600 : 0o644 });
    return path;
  }) as [string, string, string];
  return { ca, cert, key };
}

function newFiles(names: string): readonly Buffer[] {
  const { folder, remove } = openFolder();
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const authority = ['-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test', '-days', '2'];
  openssl('req', '-x509', ...newKey, ...authority);
  const name = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`];
  openssl('req', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', ...name);
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
  openssl('x509', '-req', '-in', 'request.pem', ...signed, '-copy_extensions', 'copy', '-out', 'cert.pem');
  const files = NAMES.map((file) => readFileSync(join(folder, file)));
  remove();
  return files;
}
