/** Files whose content opens something: by their name, wherever they lie. `.env.example` and its kin are made to be shown. */
const SECRET_NAME = new RegExp(
  [
    String.raw`^\.env(?!(?:\.\w+)*\.(?:example|sample|template|dist|defaults?)$)`,
    String.raw`\.env(?:\.(?!example$|sample$|template$|dist$)\w+)?$`,
    String.raw`^\.?(?:ssh|aws|azure|gcloud|gnupg|docker|kube|gh|hub|vault|chamber|password-store)$`,
    String.raw`^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?!\.pub$)`,
    String.raw`\.(?:pem|key|p8|p12|pfx|kdbx?|jks|keystore|ppk|asc|gpg|ovpn|rdp|der|pkcs12|jceks|bks|keytab|agekey|tfstate|tfvars|mobileprovision)(?:\.(?:backup|bak|old|enc|json))?$`,
    String.raw`^\.?(?:netrc|npmrc|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|dockercfg|dockerconfigjson|vault-token|vault[-_]pass.*|dev\.vars|boto|s3cfg|rclone\.conf|wgetrc|curlrc|yarnrc(?:\.yml)?|terraformrc|\w+_history|lesshst|viminfo|histfile)$`,
    `^_netrc$|^hosts.yml$|^credentials?(?:[._-].*)?$|^.*credentials.(?:json|ya?ml|toml|ini|xml|csv)$`,
    `^(?:.*[._-])?(?:secrets?|passwords?|passwd|shadow|tokens?)(?:[._-](?:prod|dev|test|staging|local|json|ya?ml|toml|ini|txt|env|enc|xml|properties|csv))*$`,
    String.raw`^.*service[-_]?account.*\.json$|^.*firebase-adminsdk.*\.json$|^client_secret.*\.json$|^google-services\.json$|^gha-creds-.*$`,
    String.raw`^(?:master|production|development)\.key$|^known_hosts$|^authorized_keys$|^wallet\.dat$|^kubeconfig$|^.*kubeconfig\.ya?ml$|^auth\.json$|^settings\.local\.(?:json|py)$|^local_settings\.py$|^wp-config\.php$|^appsettings\.\w+\.json$|^database\.yml$`,
    // keys by their name: code about keys has another ending
    String.raw`^(?:.*[._-])?(?:private|deploy|signing|rsa|dsa|ecdsa|ed25519)[._-]?key$|^\.?api[._-]?key$`,
    String.raw`^(?:.*[._-])?(?:private|deploy|signing|api|access|secret)?[._-]?keys?\.(?:txt|json|ya?ml|toml|ini|properties|b64|enc|bin)$`,
    // what single programs keep theirs in
    String.raw`^\.(?:mylogin\.cnf|renviron|gitcookies|sentryclirc|databrickscfg|authinfo|msmtprc|fetchmailrc|offlineimaprc|smbcredentials|flaskenv|kaggle|ngrok2?|oci|snowsql|dbt|m2|pip|bundle|netlify|vercel|sops|mozilla|thunderbird)$`,
    String.raw`^(?:pgpass|pip|wg\d+|admin)\.conf$|^kaggle\.json$|^cookies\.(?:txt|sqlite|json)$|^logins\.json$|^key[34]\.db$|^(?:acme|wallet)\.json$|^oauth.*\.json$|^keyrings$|^kube\.config$`,
    String.raw`secrets?\.(?:json|ya?ml|toml)$|^\.secrets\.baseline$|^env\.(?:prod|production|local|staging|dev|development)$|^terraform\.tfstate\.|^(?:keystore|signing)\.properties$|^settings_local\.py$|^LocalSettings\.php$|^GoogleService-Info\.plist$`,
  ].join('|'),
  'i',
)

/** What a wildcard may not stand for, so that it needs approval also where nothing lies there yet. */
const TYPICAL = [
  '.env',
  '.env.local',
  'id_rsa',
  'id_ed25519',
  'server.pem',
  'private.key',
  '.npmrc',
  '.netrc',
  'secrets.json',
  'master.key',
  'credentials',
  'terraform.tfstate',
  '.pgpass',
  '.ssh',
  '.aws',
]

/** Whether a path, name by name, is or lies below something secret. */
export const isSecretPath = (path: string): boolean => path.split(/[\\/]/).some(name => SECRET_NAME.test(name))

/** git's own files: the configuration holds addresses with passwords in them, the rest is not for reading either. */
export const isGitInside = (path: string): boolean => /(^|[\\/])\.git([\\/]|$)/i.test(path)

export const typicalSecrets = TYPICAL

/** What a key or a token looks like, whatever the file is called. */
const SECRET_SHAPE =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}|\bgithub_pat_\w{22,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}|\bglpat-[\w-]{20}|\bnpm_[A-Za-z0-9]{36}|\bAIza[\w-]{35}|\bya29\.[\w-]{20,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|"private_key"\s*:\s*"-----|\b(?:_authToken|npmAuthToken|aws_secret_access_key|client_secret)["']?\s*[=:]\s*["']?[^\s"']{8,}/

export const looksSecret = (text: string): boolean => SECRET_SHAPE.test(text)
