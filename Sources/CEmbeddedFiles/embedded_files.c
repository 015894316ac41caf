#include "CEmbeddedFiles.h"

#include <string.h>

// C23's way to include a file's bytes; every clang that comes with Swift 6.3 accepts it in older C too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t file_000_bootstrap_sql[] = {
#embed "../Migrations/SQL/000_bootstrap.sql"
};
static const uint8_t file_001_vector_sql[] = {
#embed "../Migrations/SQL/001_vector.sql"
};
static const uint8_t file_002_users_sql[] = {
#embed "../Migrations/SQL/002_users.sql"
};
static const uint8_t file_003_partner_vaults_sql[] = {
#embed "../Migrations/SQL/003_partner_vaults.sql"
};
static const uint8_t file_004_partner_interests_sql[] = {
#embed "../Migrations/SQL/004_partner_interests.sql"
};
static const uint8_t file_005_partner_milestones_sql[] = {
#embed "../Migrations/SQL/005_partner_milestones.sql"
};
static const uint8_t file_006_partner_vibes_sql[] = {
#embed "../Migrations/SQL/006_partner_vibes.sql"
};
static const uint8_t file_007_partner_budgets_sql[] = {
#embed "../Migrations/SQL/007_partner_budgets.sql"
};
static const uint8_t file_008_partner_love_languages_sql[] = {
#embed "../Migrations/SQL/008_partner_love_languages.sql"
};
static const uint8_t file_009_hints_sql[] = {
#embed "../Migrations/SQL/009_hints.sql"
};
static const uint8_t file_010_recommendations_sql[] = {
#embed "../Migrations/SQL/010_recommendations.sql"
};
static const uint8_t file_011_recommendation_feedback_sql[] = {
#embed "../Migrations/SQL/011_recommendation_feedback.sql"
};
static const uint8_t file_012_notification_queue_sql[] = {
#embed "../Migrations/SQL/012_notification_queue.sql"
};
static const uint8_t file_013_production_columns_sql[] = {
#embed "../Migrations/SQL/013_production_columns.sql"
};
static const uint8_t file_014_supporting_indexes_sql[] = {
#embed "../Migrations/SQL/014_supporting_indexes.sql"
};
static const uint8_t file_015_recommendation_runs_sql[] = {
#embed "../Migrations/SQL/015_recommendation_runs.sql"
};
static const uint8_t file_016_recommendation_jobs_sql[] = {
#embed "../Migrations/SQL/016_recommendation_jobs.sql"
};
static const uint8_t file_017_readings_sql[] = {
#embed "../Migrations/SQL/017_readings.sql"
};
static const uint8_t file_018_caches_sql[] = {
#embed "../Migrations/SQL/018_caches.sql"
};
static const uint8_t file_019_learned_weights_sql[] = {
#embed "../Migrations/SQL/019_learned_weights.sql"
};
static const uint8_t file_020_catalogue_sql[] = {
#embed "../Migrations/SQL/020_catalogue.sql"
};
static const uint8_t file_021_vault_imports_sql[] = {
#embed "../Migrations/SQL/021_vault_imports.sql"
};
static const uint8_t file_022_roles_sql[] = {
#embed "../Migrations/SQL/022_roles.sql"
};
static const uint8_t file_023_queue_functions_sql[] = {
#embed "../Migrations/SQL/023_queue_functions.sql"
};
static const uint8_t file_024_hint_embeddings_sql[] = {
#embed "../Migrations/SQL/024_hint_embeddings.sql"
};
static const uint8_t file_025_catalogue_embeddings_sql[] = {
#embed "../Migrations/SQL/025_catalogue_embeddings.sql"
};
static const uint8_t file_026_function_paths_sql[] = {
#embed "../Migrations/SQL/026_function_paths.sql"
};
static const uint8_t file_027_owners_of_rows_sql[] = {
#embed "../Migrations/SQL/027_owners_of_rows.sql"
};
static const uint8_t file_028_run_identities_sql[] = {
#embed "../Migrations/SQL/028_run_identities.sql"
};
static const uint8_t file_029_worker_columns_sql[] = {
#embed "../Migrations/SQL/029_worker_columns.sql"
};
static const uint8_t file_030_sequence_rights_sql[] = {
#embed "../Migrations/SQL/030_sequence_rights.sql"
};
static const uint8_t file_031_worker_explains_sql[] = {
#embed "../Migrations/SQL/031_worker_explains.sql"
};
static const uint8_t file_032_queue_laws_sql[] = {
#embed "../Migrations/SQL/032_queue_laws.sql"
};
static const uint8_t file_033_moments_sql[] = {
#embed "../Migrations/SQL/033_moments.sql"
};
static const uint8_t file_034_learned_imports_sql[] = {
#embed "../Migrations/SQL/034_learned_imports.sql"
};
static const uint8_t file_035_requests_sql[] = {
#embed "../Migrations/SQL/035_requests.sql"
};
static const uint8_t file_036_forgotten_readings_sql[] = {
#embed "../Migrations/SQL/036_forgotten_readings.sql"
};
static const uint8_t file_037_import_files_sql[] = {
#embed "../Migrations/SQL/037_import_files.sql"
};
static const uint8_t file_038_provider_names_sql[] = {
#embed "../Migrations/SQL/038_provider_names.sql"
};
static const uint8_t file_039_catalogue_changes_sql[] = {
#embed "../Migrations/SQL/039_catalogue_changes.sql"
};
static const uint8_t file_040_notices_sql[] = {
#embed "../Migrations/SQL/040_notices.sql"
};
static const uint8_t file_041_worker_batches_sql[] = {
#embed "../Migrations/SQL/041_worker_batches.sql"
};
static const uint8_t file_042_run_timings_sql[] = {
#embed "../Migrations/SQL/042_run_timings.sql"
};
static const uint8_t file_043_device_registrations_sql[] = {
#embed "../Migrations/SQL/043_device_registrations.sql"
};
static const uint8_t file_044_queue_indexes_sql[] = {
#embed "../Migrations/SQL/044_queue_indexes.sql"
};
static const uint8_t file_045_suspect_jobs_sql[] = {
#embed "../Migrations/SQL/045_suspect_jobs.sql"
};
static const uint8_t file_046_phrase_vectors_sql[] = {
#embed "../Migrations/SQL/046_phrase_vectors.sql"
};
static const uint8_t file_047_restored_triggers_sql[] = {
#embed "../Migrations/SQL/047_restored_triggers.sql"
};
static const uint8_t file_048_notice_names_sql[] = {
#embed "../Migrations/SQL/048_notice_names.sql"
};
static const uint8_t file_049_worker_connections_sql[] = {
#embed "../Migrations/SQL/049_worker_connections.sql"
};
static const uint8_t file_050_lasting_reminders_sql[] = {
#embed "../Migrations/SQL/050_lasting_reminders.sql"
};
static const uint8_t file_051_fair_claims_and_kept_notices_sql[] = {
#embed "../Migrations/SQL/051_fair_claims_and_kept_notices.sql"
};
static const uint8_t file_052_vault_turns_sql[] = {
#embed "../Migrations/SQL/052_vault_turns.sql"
};
static const uint8_t file_catalogue_look_sql[] = {
#embed "../Migrations/SQL/catalogue_look.sql"
};
static const uint8_t file_needed_objects_txt[] = {
#embed "../Migrations/SQL/needed_objects.txt"
};
static const uint8_t file_production_catalogue_json[] = {
#embed "../Migrations/SQL/production_catalogue.json"
};
static const uint8_t file_whole_catalogue_json[] = {
#embed "../Migrations/SQL/whole_catalogue.json"
};
static const uint8_t file_page_html[] = {
#embed "../Operations/Page/page.html"
};
static const uint8_t file_choice_of_three_json[] = {
#embed "../Shipped/choice-of-three.json"
};
static const uint8_t file_classic_json[] = {
#embed "../Shipped/classic.json"
};
static const uint8_t file_lexicon_json[] = {
#embed "../TextEncoding/Lexicon/lexicon.json"
};
static const uint8_t file_prototypes_json[] = {
#embed "../TextEncoding/Prototypes/prototypes.json"
};
static const uint8_t file_weights_json[] = {
#embed "../TextEncoding/Ranking/weights.json"
};
static const uint8_t file_public_words_txt[] = {
#embed "../TextReading/Notes/public-words.txt"
};

static const struct {
    const char *name;
    const uint8_t *bytes;
    size_t size;
} files[] = {
    {"000_bootstrap.sql", file_000_bootstrap_sql, sizeof file_000_bootstrap_sql},
    {"001_vector.sql", file_001_vector_sql, sizeof file_001_vector_sql},
    {"002_users.sql", file_002_users_sql, sizeof file_002_users_sql},
    {"003_partner_vaults.sql", file_003_partner_vaults_sql, sizeof file_003_partner_vaults_sql},
    {"004_partner_interests.sql", file_004_partner_interests_sql, sizeof file_004_partner_interests_sql},
    {"005_partner_milestones.sql", file_005_partner_milestones_sql, sizeof file_005_partner_milestones_sql},
    {"006_partner_vibes.sql", file_006_partner_vibes_sql, sizeof file_006_partner_vibes_sql},
    {"007_partner_budgets.sql", file_007_partner_budgets_sql, sizeof file_007_partner_budgets_sql},
    {"008_partner_love_languages.sql", file_008_partner_love_languages_sql, sizeof file_008_partner_love_languages_sql},
    {"009_hints.sql", file_009_hints_sql, sizeof file_009_hints_sql},
    {"010_recommendations.sql", file_010_recommendations_sql, sizeof file_010_recommendations_sql},
    {"011_recommendation_feedback.sql", file_011_recommendation_feedback_sql, sizeof file_011_recommendation_feedback_sql},
    {"012_notification_queue.sql", file_012_notification_queue_sql, sizeof file_012_notification_queue_sql},
    {"013_production_columns.sql", file_013_production_columns_sql, sizeof file_013_production_columns_sql},
    {"014_supporting_indexes.sql", file_014_supporting_indexes_sql, sizeof file_014_supporting_indexes_sql},
    {"015_recommendation_runs.sql", file_015_recommendation_runs_sql, sizeof file_015_recommendation_runs_sql},
    {"016_recommendation_jobs.sql", file_016_recommendation_jobs_sql, sizeof file_016_recommendation_jobs_sql},
    {"017_readings.sql", file_017_readings_sql, sizeof file_017_readings_sql},
    {"018_caches.sql", file_018_caches_sql, sizeof file_018_caches_sql},
    {"019_learned_weights.sql", file_019_learned_weights_sql, sizeof file_019_learned_weights_sql},
    {"020_catalogue.sql", file_020_catalogue_sql, sizeof file_020_catalogue_sql},
    {"021_vault_imports.sql", file_021_vault_imports_sql, sizeof file_021_vault_imports_sql},
    {"022_roles.sql", file_022_roles_sql, sizeof file_022_roles_sql},
    {"023_queue_functions.sql", file_023_queue_functions_sql, sizeof file_023_queue_functions_sql},
    {"024_hint_embeddings.sql", file_024_hint_embeddings_sql, sizeof file_024_hint_embeddings_sql},
    {"025_catalogue_embeddings.sql", file_025_catalogue_embeddings_sql, sizeof file_025_catalogue_embeddings_sql},
    {"026_function_paths.sql", file_026_function_paths_sql, sizeof file_026_function_paths_sql},
    {"027_owners_of_rows.sql", file_027_owners_of_rows_sql, sizeof file_027_owners_of_rows_sql},
    {"028_run_identities.sql", file_028_run_identities_sql, sizeof file_028_run_identities_sql},
    {"029_worker_columns.sql", file_029_worker_columns_sql, sizeof file_029_worker_columns_sql},
    {"030_sequence_rights.sql", file_030_sequence_rights_sql, sizeof file_030_sequence_rights_sql},
    {"031_worker_explains.sql", file_031_worker_explains_sql, sizeof file_031_worker_explains_sql},
    {"032_queue_laws.sql", file_032_queue_laws_sql, sizeof file_032_queue_laws_sql},
    {"033_moments.sql", file_033_moments_sql, sizeof file_033_moments_sql},
    {"034_learned_imports.sql", file_034_learned_imports_sql, sizeof file_034_learned_imports_sql},
    {"035_requests.sql", file_035_requests_sql, sizeof file_035_requests_sql},
    {"036_forgotten_readings.sql", file_036_forgotten_readings_sql, sizeof file_036_forgotten_readings_sql},
    {"037_import_files.sql", file_037_import_files_sql, sizeof file_037_import_files_sql},
    {"038_provider_names.sql", file_038_provider_names_sql, sizeof file_038_provider_names_sql},
    {"039_catalogue_changes.sql", file_039_catalogue_changes_sql, sizeof file_039_catalogue_changes_sql},
    {"040_notices.sql", file_040_notices_sql, sizeof file_040_notices_sql},
    {"041_worker_batches.sql", file_041_worker_batches_sql, sizeof file_041_worker_batches_sql},
    {"042_run_timings.sql", file_042_run_timings_sql, sizeof file_042_run_timings_sql},
    {"043_device_registrations.sql", file_043_device_registrations_sql, sizeof file_043_device_registrations_sql},
    {"044_queue_indexes.sql", file_044_queue_indexes_sql, sizeof file_044_queue_indexes_sql},
    {"045_suspect_jobs.sql", file_045_suspect_jobs_sql, sizeof file_045_suspect_jobs_sql},
    {"046_phrase_vectors.sql", file_046_phrase_vectors_sql, sizeof file_046_phrase_vectors_sql},
    {"047_restored_triggers.sql", file_047_restored_triggers_sql, sizeof file_047_restored_triggers_sql},
    {"048_notice_names.sql", file_048_notice_names_sql, sizeof file_048_notice_names_sql},
    {"049_worker_connections.sql", file_049_worker_connections_sql, sizeof file_049_worker_connections_sql},
    {"050_lasting_reminders.sql", file_050_lasting_reminders_sql, sizeof file_050_lasting_reminders_sql},
    {"051_fair_claims_and_kept_notices.sql", file_051_fair_claims_and_kept_notices_sql, sizeof file_051_fair_claims_and_kept_notices_sql},
    {"052_vault_turns.sql", file_052_vault_turns_sql, sizeof file_052_vault_turns_sql},
    {"catalogue_look.sql", file_catalogue_look_sql, sizeof file_catalogue_look_sql},
    {"needed_objects.txt", file_needed_objects_txt, sizeof file_needed_objects_txt},
    {"production_catalogue.json", file_production_catalogue_json, sizeof file_production_catalogue_json},
    {"whole_catalogue.json", file_whole_catalogue_json, sizeof file_whole_catalogue_json},
    {"page.html", file_page_html, sizeof file_page_html},
    {"choice-of-three.json", file_choice_of_three_json, sizeof file_choice_of_three_json},
    {"classic.json", file_classic_json, sizeof file_classic_json},
    {"lexicon.json", file_lexicon_json, sizeof file_lexicon_json},
    {"prototypes.json", file_prototypes_json, sizeof file_prototypes_json},
    {"weights.json", file_weights_json, sizeof file_weights_json},
    {"public-words.txt", file_public_words_txt, sizeof file_public_words_txt},
};

const uint8_t *knot_embedded_file(const char *name, size_t *size) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (strcmp(files[i].name, name) != 0) continue;
        *size = files[i].size;
        return files[i].bytes;
    }
    return NULL;
}
