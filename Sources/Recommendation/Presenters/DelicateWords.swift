import TextEncoding

/// Words of illness, grief and worry: a note that has one is nobody's headline, though it may well be the reason.
enum DelicateWords {
    /// Whether a text speaks of somebody's health, grief or worries.
    static func areIn(_ text: String) -> Bool {
        TokenizedText(text, limit: 400).words.contains { stems.contains($0.stem) }
    }

    private static let stems = StemSet(
        """
        ache aching addict addiction adhd alcohol alcoholic allergic allergy alzheimer ambulance anaemia angina ankle anxiety
        anxious appendix arrhythmia arthritic arthritis asleep asthma autism autistic bankrupt bedrest biopsy bipolar bleed
        blister bowel breakdown breathless bruise burnout cancer cast cataract celiac chemo cholesterol clinic coeliac
        concussion constipation cramp cried cry crying crutch custody dead deaf death debt dementia dentist depressed
        depression dermatologist diabetes diabetic diagnosed diagnosis dialysis die died diet dizzy divorce doctor dr drinking
        drunk dying dyslexia ecg eczema ekg embarrassed endometriosis epilepsy epipen evicted exhausted fainted fertility
        fever flu fired foreclosure fracture funeral glaucoma gout grave grief grieving gynaecologist headache heartburn
        hernia hip hormone hospice hospital hurt ibs icu ill illness injection injured injury insomnia insulin ivf jaw joint
        kidney knee lactose layoff liver lonely lonesome lump lupus mammogram medication medicine meds menopause migraine
        miscarriage mourning mri nausea nerve neurologist nurse obese oncologist operation osteoporosis overdose overweight
        pacemaker pain painful palpitation panic paramedic parkinson pill plantar pneumonia postpartum prednisone pregnancy
        pregnant prescription psychiatrist ptsd rash redundancy reflux rehab relapse sad scan scar scared sciatica sclerosis
        seizure separated shingle shin shoulder sick sickness sinus sober sobriety sore specialist spine sprain steroid
        stitches stroke suicide surgeon surgery swollen symptom tendon terminal therapist therapy thyroid tinnitus toenail
        transplant trauma tremor tumor tumour ulcer unemployed unwell vertigo ward weep wept weight wheelchair widow widower
        worried worry wound wrist
        """.split(whereSeparator: \.isWhitespace).map { Stemmer.stem(String($0)) }
    )
}
