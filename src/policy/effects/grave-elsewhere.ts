import { type EffectRow, first, has } from './effect-row.ts'

const SQL =
  /\b(?:drop\s+(?:table|database|schema|index|view|user|role|collection)|truncate\s+(?:table\s+)?\w+|delete\s+from\s+\w+\s*;?\s*$|dropDatabase|flushall|flushdb)\b/i
/** Verbs of frameworks that throw a database away or all that is in it. */
const DROPS_DATABASE =
  /^(?:\S*manage\.py )?(?:flush|reset_db)(?: |$)|(?:^| )(?:db:(?:drop|reset|purge|wipe|truncate_all|migrate:reset)(?::\w+)?|migrate:(?:fresh|reset|refresh)|schema:drop|ecto\.(?:drop|reset)|doctrine:(?:database|schema):drop|ef database drop|migrate reset|db push (?:.* )?--force-reset|downgrade base|migrate:rollback --all)(?: |$)/
export const CLUSTER_VALUES =
  '-n --namespace --context --cluster --kubeconfig --kube-context --user --as --token -s --server -l --selector'
/** What is hard to undo beyond this machine: data, clusters, clouds, what everybody gets. */
export const GRAVE_ELSEWHERE: readonly EffectRow[] = [
  {
    program: /^(redis|valkey|keydb)-cli$/,
    when: has(/\bflush(?:all|db)\b/i),
    does: 'deletes all data of that server',
    tier: 'grave',
    reaches: 'shared_data',
    examples: { matches: ['redis-cli flushall', 'redis-cli -h cache FLUSHDB ASYNC'], spares: ['redis-cli get a'] },
  },
  {
    program: /^(psql|mysql|mariadb|mongo|mongosh|redis-cli|sqlcmd|clickhouse-client|cockroach)$/,
    when: words => SQL.test(words.join(' ')),
    does: 'drops data',
    tier: 'grave',
    reaches: 'shared_data',
    examples: {
      matches: [
        'psql -c "truncate table users"',
        'mysql -e "TRUNCATE users"',
        'psql -c "drop table users"',
        'mysql -e "DELETE FROM users"',
        'mongosh --eval "db.dropDatabase()"',
      ],
      spares: ['psql -c "select 1"', 'mysql -e "delete from users where id = 1"'],
    },
  },
  {
    program: /^(sqlite3|duckdb)$/,
    when: words => SQL.test(words.join(' ')),
    does: 'drops data',
    tier: 'grave',
    examples: { matches: ['sqlite3 a.db "drop table users"'], spares: ['sqlite3 a.db .tables'] },
  },
  {
    program: /^(dropdb|dropuser)$/,
    does: 'drops a database',
    tier: 'grave',
    reaches: 'shared_data',
    examples: { matches: ['dropdb shop'], spares: ['createdb shop'] },
  },
  {
    program:
      /^(rails|rake|sequelize|sequelize-cli|typeorm|prisma|mix|artisan|manage\.py|django-admin|python\d?|php|dotnet|console|knex|alembic)$/,
    when: words => DROPS_DATABASE.test(words.join(' ')),
    does: 'drops or empties a database',
    tier: 'grave',
    examples: {
      matches: [
        'rails db:drop',
        'bundle exec rake db:reset',
        'npx prisma migrate reset',
        'npx prisma db push --force-reset',
        'python manage.py flush --no-input',
        './manage.py reset_db',
        'php artisan migrate:fresh --seed',
        'mix ecto.reset',
        'npx typeorm schema:drop',
        'dotnet ef database drop',
        'alembic downgrade base',
      ],
      spares: [
        'rails db:migrate',
        'npx prisma migrate dev',
        'python manage.py test',
        'python x.py flush',
        'mix ecto.migrate',
        'php -v',
      ],
    },
  },
  {
    program: /^(kubectl|oc)$/,
    when: first(/^(delete|drain|replace)$/, CLUSTER_VALUES),
    does: 'deletes in the cluster',
    tier: 'grave',
    reaches: 'infrastructure',
    examples: {
      matches: ['kubectl delete pod a', 'kubectl -n prod delete ns shop', 'oc drain node1'],
      spares: ['kubectl get pods', 'kubectl delete pod a --dry-run=client', 'kubectl -n delete get pods'],
    },
  },
  {
    program: /^helm$/,
    when: first(/^(uninstall|delete|rollback)$/, CLUSTER_VALUES),
    does: 'removes a release',
    tier: 'grave',
    reaches: 'infrastructure',
    examples: { matches: ['helm uninstall shop', 'helm -n prod rollback shop'], spares: ['helm list'] },
  },
  {
    program: /^(terraform|tofu|terragrunt)$/,
    when: words =>
      has(/^--?auto-approve$/)(words) ||
      has(/^(destroy|taint|destroy-all|apply-all)$/)(words) ||
      (words.includes('apply') && !hasPlan(words)),
    does: 'changes real infrastructure without a plan that was looked at',
    tier: 'grave',
    reaches: 'infrastructure',
    examples: {
      matches: [
        'terraform apply',
        'tofu -chdir=prod apply -var a=b',
        'terraform destroy',
        'terragrunt run-all apply',
        'terraform apply -auto-approve plan.out',
      ],
      spares: ['terraform apply plan.out', 'terraform apply -no-color plan.out', 'terraform plan'],
    },
  },
  {
    program: /^(pulumi|cdk)$/,
    when: words =>
      first(/^(destroy|taint)$/)(words) ||
      has(/^--?auto-approve$/)(words) ||
      (first(/^(up|update|deploy)$/)(words) && has(/^(-[a-z]*y|--yes|-f|--force)$/)(words)),
    does: 'changes real infrastructure without asking',
    tier: 'grave',
    reaches: 'infrastructure',
    examples: { matches: ['pulumi destroy', 'pulumi up --yes'], spares: ['pulumi up', 'pulumi preview', 'cdk diff'] },
  },
  {
    program: /^(docker|podman)$/,
    when: words => words.includes('prune') || /\b(volume rm|system prune|swarm leave)\b/.test(words.join(' ')),
    does: 'removes data of containers',
    tier: 'grave',
    reaches: 'shared_data',
    examples: { matches: ['docker volume rm db', 'docker system prune -af'], spares: ['docker ps', 'docker rm a'] },
  },
  {
    program: /^(docker-compose|docker|podman)$/,
    when: words => words.includes('down') && words.some(word => /^(-v|--volumes)$/.test(word)),
    does: 'removes volumes',
    tier: 'grave',
    reaches: 'shared_data',
    examples: { matches: ['docker compose down -v'], spares: ['docker compose down'] },
  },
  {
    program: /^aws$/,
    when: words => /\b(rm|rb)\b.*(--recursive|--force)|\b(delete|terminate)-/.test(words.join(' ')),
    does: 'deletes in the cloud',
    tier: 'grave',
    reaches: 'infrastructure',
    examples: {
      matches: ['aws s3 rm s3://b --recursive', 'aws ec2 terminate-instances --instance-ids i-1'],
      spares: ['aws s3 ls', 'aws ec2 describe-instances'],
    },
  },
  {
    program: /^(gcloud|az|heroku|fly|flyctl|doctl|vercel|gsutil)$/,
    when: words => /\b(delete|destroy|remove|rm|purge)\b|:destroy\b/.test(words.join(' ')),
    does: 'deletes in the cloud',
    tier: 'grave',
    reaches: 'infrastructure',
    examples: { matches: ['gcloud compute instances delete a', 'heroku apps:destroy a'], spares: ['az account show'] },
  },
  {
    program: /^gh$/,
    when: words => /\b(repo|release|secret|run|issue|codespace|gist) delete\b/.test(words.join(' ')),
    does: 'deletes on the server',
    tier: 'grave',
    reaches: 'everybody',
    examples: { matches: ['gh repo delete me/app --yes'], spares: ['gh repo view', 'gh pr list'] },
  },
  {
    program: /^(npm|yarn|pnpm)$/,
    when: first(/^(publish|unpublish|deprecate)$/, '-w --workspace --prefix -C --dir --filter'),
    does: 'publishes for everybody',
    tier: 'grave',
    reaches: 'everybody',
    examples: {
      matches: ['npm publish', 'npm unpublish a@1', 'npm -w app publish'],
      spares: ['npm pack', 'npm publish --dry-run', 'npm run publish'],
    },
  },
  {
    program: /^(mvnw?|gradlew?)$/,
    when: has(/^(?:deploy|release:perform|publish|:?[\w:-]*:publish)$/),
    does: 'publishes for everybody',
    tier: 'grave',
    reaches: 'everybody',
    examples: { matches: ['mvn deploy', './gradlew :lib:publish'], spares: ['mvn test', 'gradle build'] },
  },
  {
    program: /^(cargo|gem|twine|poetry|uv)$/,
    when: first(/^(publish|yank|push|upload)$/),
    does: 'publishes for everybody',
    tier: 'grave',
    reaches: 'everybody',
    examples: { matches: ['cargo publish', 'twine upload dist/a.whl'], spares: ['cargo test', 'uv sync'] },
  },
  {
    program: /^rsync$/,
    when: has(/^--del/),
    does: 'deletes on the other side',
    tier: 'grave',
    examples: { matches: ['rsync -a --delete a/ b/'], spares: ['rsync -a a/ b/'] },
  },
]

/** `terraform apply plan.out`: only what was planned, and perhaps looked at, is done. A word behind an option may be its value. */
function hasPlan(words: readonly string[]): boolean {
  return words.slice(words.indexOf('apply') + 1).some((word, i, rest) => {
    const before = rest[i - 1] ?? ''
    return (
      !word.startsWith('-') && (!before.startsWith('-') || /=|^--?(?:no-color|compact-warnings|json)$/.test(before))
    )
  })
}
