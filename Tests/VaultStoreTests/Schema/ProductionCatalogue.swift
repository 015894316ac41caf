/// The schema that exists in production, as its description has it: what a test holds the server to.
enum ProductionCatalogue {
    /// Tables with their columns, types, nullability and defaults.
    static let columns = """
        hints.created_at timestamp with time zone not null default now()
        hints.hint_embedding vector(768)
        hints.hint_text text not null
        hints.id uuid not null default gen_random_uuid()
        hints.is_used boolean not null default false
        hints.source text not null
        hints.vault_id uuid not null
        notification_queue.created_at timestamp with time zone not null default now()
        notification_queue.days_before integer not null
        notification_queue.id uuid not null default gen_random_uuid()
        notification_queue.milestone_id uuid not null
        notification_queue.scheduled_for timestamp with time zone not null
        notification_queue.sent_at timestamp with time zone
        notification_queue.status text not null default 'pending'::text
        notification_queue.user_id uuid not null
        partner_budgets.created_at timestamp with time zone not null default now()
        partner_budgets.currency text not null default 'USD'::text
        partner_budgets.id uuid not null default gen_random_uuid()
        partner_budgets.max_amount integer not null
        partner_budgets.min_amount integer not null
        partner_budgets.occasion_type text not null
        partner_budgets.vault_id uuid not null
        partner_interests.created_at timestamp with time zone not null default now()
        partner_interests.id uuid not null default gen_random_uuid()
        partner_interests.interest_category text not null
        partner_interests.interest_type text not null
        partner_interests.vault_id uuid not null
        partner_love_languages.created_at timestamp with time zone not null default now()
        partner_love_languages.id uuid not null default gen_random_uuid()
        partner_love_languages.language text not null
        partner_love_languages.priority integer not null
        partner_love_languages.vault_id uuid not null
        partner_milestones.budget_tier text not null
        partner_milestones.created_at timestamp with time zone not null default now()
        partner_milestones.id uuid not null default gen_random_uuid()
        partner_milestones.milestone_date date not null
        partner_milestones.milestone_name text not null
        partner_milestones.milestone_type text not null
        partner_milestones.recurrence text not null
        partner_milestones.vault_id uuid not null
        partner_vaults.cohabitation_status text
        partner_vaults.created_at timestamp with time zone not null default now()
        partner_vaults.id uuid not null default gen_random_uuid()
        partner_vaults.location_city text
        partner_vaults.location_country text default 'US'::text
        partner_vaults.location_state text
        partner_vaults.partner_name text not null
        partner_vaults.relationship_tenure_months integer
        partner_vaults.updated_at timestamp with time zone not null default now()
        partner_vaults.user_id uuid not null
        partner_vibes.created_at timestamp with time zone not null default now()
        partner_vibes.id uuid not null default gen_random_uuid()
        partner_vibes.vault_id uuid not null
        partner_vibes.vibe_tag text not null
        recommendation_feedback.action text not null
        recommendation_feedback.created_at timestamp with time zone not null default now()
        recommendation_feedback.feedback_text text
        recommendation_feedback.id uuid not null default gen_random_uuid()
        recommendation_feedback.rating integer
        recommendation_feedback.recommendation_id uuid not null
        recommendation_feedback.user_id uuid not null
        recommendations.created_at timestamp with time zone not null default now()
        recommendations.description text
        recommendations.external_url text
        recommendations.id uuid not null default gen_random_uuid()
        recommendations.image_url text
        recommendations.merchant_name text
        recommendations.milestone_id uuid
        recommendations.price_cents integer
        recommendations.recommendation_type text not null
        recommendations.title text not null
        recommendations.vault_id uuid not null
        users.created_at timestamp with time zone not null default now()
        users.email text
        users.id uuid not null
        users.updated_at timestamp with time zone not null default now()
        """

    /// Keys, checks and foreign keys with what a deletion does.
    static let constraints = """
        hints CHECK ((source = ANY (ARRAY['text_input', 'voice_transcription'])))
        hints FOREIGN KEY (vault_id) REFERENCES partner_vaults(id) ON DELETE CASCADE
        hints PRIMARY KEY (id)
        notification_queue CHECK ((days_before = ANY (ARRAY[14, 7, 3])))
        notification_queue CHECK ((status = ANY (ARRAY['pending', 'sent', 'failed', 'cancelled'])))
        notification_queue FOREIGN KEY (milestone_id) REFERENCES partner_milestones(id) ON DELETE CASCADE
        notification_queue FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
        notification_queue PRIMARY KEY (id)
        partner_budgets CHECK ((max_amount >= min_amount))
        partner_budgets CHECK ((min_amount >= 0))
        partner_budgets CHECK ((occasion_type = ANY (ARRAY['just_because', 'minor_occasion', \
        'major_milestone'])))
        partner_budgets FOREIGN KEY (vault_id) REFERENCES partner_vaults(id) ON DELETE CASCADE
        partner_budgets PRIMARY KEY (id)
        partner_budgets UNIQUE (vault_id, occasion_type)
        partner_interests CHECK ((interest_category = ANY (ARRAY['Travel', 'Cooking', 'Movies', 'Music', \
        'Reading', 'Sports', 'Gaming', 'Art', 'Photography', 'Fitness', 'Fashion', 'Technology', \
        'Nature', 'Food', 'Coffee', 'Wine', 'Dancing', 'Theater', 'Concerts', 'Museums', 'Shopping', \
        'Yoga', 'Hiking', 'Beach', 'Pets', 'Cars', 'DIY', 'Gardening', 'Meditation', 'Podcasts', \
        'Baking', 'Camping', 'Cycling', 'Running', 'Swimming', 'Skiing', 'Surfing', 'Painting', 'Board \
        Games', 'Karaoke'])))
        partner_interests CHECK ((interest_type = ANY (ARRAY['like', 'dislike'])))
        partner_interests FOREIGN KEY (vault_id) REFERENCES partner_vaults(id) ON DELETE CASCADE
        partner_interests PRIMARY KEY (id)
        partner_interests UNIQUE (vault_id, interest_category)
        partner_love_languages CHECK ((language = ANY (ARRAY['words_of_affirmation', 'acts_of_service', \
        'receiving_gifts', 'quality_time', 'physical_touch'])))
        partner_love_languages CHECK ((priority = ANY (ARRAY[1, 2])))
        partner_love_languages FOREIGN KEY (vault_id) REFERENCES partner_vaults(id) ON DELETE CASCADE
        partner_love_languages PRIMARY KEY (id)
        partner_love_languages UNIQUE (vault_id, language)
        partner_love_languages UNIQUE (vault_id, priority)
        partner_milestones CHECK ((budget_tier = ANY (ARRAY['just_because', 'minor_occasion', \
        'major_milestone'])))
        partner_milestones CHECK ((milestone_type = ANY (ARRAY['birthday', 'anniversary', 'holiday', \
        'custom'])))
        partner_milestones CHECK ((recurrence = ANY (ARRAY['yearly', 'one_time'])))
        partner_milestones FOREIGN KEY (vault_id) REFERENCES partner_vaults(id) ON DELETE CASCADE
        partner_milestones PRIMARY KEY (id)
        partner_vaults CHECK ((cohabitation_status = ANY (ARRAY['living_together', 'separate', \
        'long_distance'])))
        partner_vaults FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
        partner_vaults PRIMARY KEY (id)
        partner_vaults UNIQUE (user_id)
        partner_vibes CHECK ((vibe_tag = ANY (ARRAY['quiet_luxury', 'street_urban', 'outdoorsy', \
        'vintage', 'minimalist', 'bohemian', 'romantic', 'adventurous'])))
        partner_vibes FOREIGN KEY (vault_id) REFERENCES partner_vaults(id) ON DELETE CASCADE
        partner_vibes PRIMARY KEY (id)
        partner_vibes UNIQUE (vault_id, vibe_tag)
        recommendation_feedback CHECK (((rating >= 1) AND (rating <= 5)))
        recommendation_feedback CHECK ((action = ANY (ARRAY['selected', 'refreshed', 'saved', 'shared', \
        'rated'])))
        recommendation_feedback FOREIGN KEY (recommendation_id) REFERENCES recommendations(id) ON DELETE \
        CASCADE
        recommendation_feedback FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
        recommendation_feedback PRIMARY KEY (id)
        recommendations CHECK ((price_cents >= 0))
        recommendations CHECK ((recommendation_type = ANY (ARRAY['gift', 'experience', 'date'])))
        recommendations FOREIGN KEY (milestone_id) REFERENCES partner_milestones(id) ON DELETE SET NULL
        recommendations FOREIGN KEY (vault_id) REFERENCES partner_vaults(id) ON DELETE CASCADE
        recommendations PRIMARY KEY (id)
        users FOREIGN KEY (id) REFERENCES auth.users(id) ON DELETE CASCADE
        users PRIMARY KEY (id)
        """

    /// Triggers with their functions.
    static let triggers = """
        auth.users on_auth_user_created AFTER INSERT handle_new_user as its owner
        partner_milestones handle_milestone_budget_tier BEFORE INSERT handle_milestone_budget_tier
        partner_vaults handle_updated_at BEFORE UPDATE handle_updated_at
        users handle_updated_at BEFORE UPDATE handle_updated_at
        """

    /// Indexes that serve no key.
    static let indexes = """
        hints USING btree (vault_id)
        hints USING hnsw (hint_embedding vector_cosine_ops)
        notification_queue USING btree (status, scheduled_for) WHERE (status = 'pending'::text)
        partner_budgets USING btree (vault_id)
        partner_interests USING btree (vault_id)
        partner_love_languages USING btree (vault_id)
        partner_milestones USING btree (vault_id)
        partner_vibes USING btree (vault_id)
        recommendations USING btree (milestone_id)
        recommendations USING btree (vault_id)
        """
}
