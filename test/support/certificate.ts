import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The files of a certificate, its key, and the authority that has signed it. */
export interface Certificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A certificate for these names, such as `DNS:shop.example` or `IP:127.0.0.1`. */
export function makeCertificate(folder: string, names: readonly string[]): Certificate {
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const authority = ['-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test', '-days', '2'];
  openssl('req', '-x509', ...newKey, ...authority);
  const name = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names.join(',')}`];
  openssl('req', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', ...name);
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
  openssl('x509', '-req', '-in', 'request.pem', ...signed, '-copy_extensions', 'copy', '-out', 'cert.pem');
  return { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
}
